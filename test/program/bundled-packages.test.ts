import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SignJWT } from 'jose';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { serveBucket, type ServedBucket } from '../bucket.ts';
import { insert } from '../content.ts';
import { FIRST_START, SEEDED_TEMPLATE } from '../databases.ts';
import { docx, paragraph } from '../docx.ts';
import { serveMail, type MailServer } from '../mail-server.ts';
import { aPage, respond, serveSite, type ServedSite } from '../site.ts';
import { craftZip } from '../zip.ts';
import { createDatabase } from './database.ts';
import { send } from './load.ts';
import { startProgram, temporaryDirectory, type Program } from './program.ts';

/**
 * Other tests use packages from node_modules. In the bundle, a default export or a file of a package may be missing, which
 * is noticed only when it is used. What other tests of the program use is not repeated here.
 */

let mail: MailServer;
let bucket: ServedBucket;
let source: ServedSite;
let program: Program;
let organization: string;

const request = (method: string, to: string, body?: object) =>
  send(program.url, { method, path: to, token: program.token, body });

async function call(method: string, to: string, body?: object) {
  const answer = await request(method, to, body);
  expect(answer.status, answer.body).toBeLessThan(300);
  return answer.body === '' ? undefined : JSON.parse(answer.body);
}

const get = (to: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(new URL(to, program.url), { headers: { accept: 'text/html', ...headers } });

async function aSpace(...changes: object[]): Promise<{ id: string; path: string }> {
  const { id } = await call('POST', `${organization}/spaces`, { title: 'Guide', editMode: 'live' });
  if (changes.length > 0) await call('POST', `/v1/spaces/${id}/content`, { changes });
  return { id, path: `/v1/spaces/${id}` };
}

async function aSite(visibility: string, ...changes: object[]): Promise<{ api: string; path: string }> {
  const spaces = [(await aSpace(...changes)).id];
  const input = { title: 'Site', visibility, spaces };
  const { id, basename } = await call('POST', `${organization}/sites`, input);
  await call('POST', `${organization}/sites/${id}/publish`);
  return { api: `${organization}/sites/${id}`, path: `/${basename}` };
}

beforeAll(async () => {
  const word = docx(paragraph('Word text', 'Heading1'));
  source = await serveSite({
    '/robots.txt': respond(200, { 'content-type': 'text/plain' }, 'User-agent: *\nDisallow: /docs/private\n'),
    '/docs/': aPage('Start', '', ['Start|/docs/', 'Next|/docs/next', 'Private|/docs/private']),
    '/docs/next': aPage('Next'),
    '/docs/private': aPage('Private'),
    '/word.zip': respond(
      200,
      { 'content-type': 'application/zip' },
      craftZip([{ name: 'report.docx', content: word, deflate: true }]),
    ),
  });
  [mail, bucket] = await Promise.all([serveMail(), serveBucket()]);
  const database = await createDatabase(SEEDED_TEMPLATE);
  program = await startProgram({
    env: {
      ...FIRST_START,
      DATABASE_URL: database.url,
      OCTAVO_DATA: path.join(temporaryDirectory(), 'data'),
      OCTAVO_FILES: bucket.target(),
      OCTAVO_SMTP_URL: mail.url,
      OCTAVO_OUTBOUND_ALLOW: `127.0.0.0/8:${source.port}`,
    },
    shared: true,
  });
  const { items } = await call('GET', '/v1/orgs');
  organization = `/v1/orgs/${items[0].id}`;
});

test('an invitation is mailed by a job', async () => {
  await call('POST', `${organization}/invites`, { emails: ['ada@example.org'] });
  await expect.poll(() => mail.mails).toMatchObject([{ to: ['ada@example.org'] }]);
  expect(mail.mails[0]?.text).toContain('/invite/');
});

test('a website is imported as its robots.txt allows, and only from an allowed address', async () => {
  const space = await aSpace();
  const importing = { url: `${source.url}/docs/`, source: 'website' };
  const { skipped } = await call('POST', `${space.path}/content/import`, importing);
  expect(skipped).toEqual([{ source: `${source.url}/docs/private`, reason: 'robots.txt' }]);
  const { pages } = await call('GET', `${space.path}/content/pages`);
  expect(pages).toMatchObject([{ title: 'Start' }, { title: 'Next' }]);
  const refused = await request('POST', `${space.path}/content/import`, {
    ...importing,
    url: `http://[::1]:${source.port}/docs/`,
  });
  expect(refused.status).toBe(400);
  expect(refused.body).toContain('::1 is not a public address');
});

test('a Word document in a deflated ZIP is imported by the server', async () => {
  const space = await aSpace();
  const importing = { url: `${source.url}/word.zip`, source: 'zip' };
  expect(await call('POST', `${space.path}/content/import`, importing)).toMatchObject({ skipped: [] });
  const { pages } = await call('GET', `${space.path}/content/pages`);
  expect(pages).toMatchObject([{ title: 'Word text' }]);
});

test('a file is stored in a bucket and read from it', async () => {
  const file = { name: 'a.txt', base64: Buffer.from('In a bucket').toString('base64') };
  const space = await aSpace({ operation: 'insert_files', files: [file] });
  expect([...bucket.objects.values()].map(({ content }) => String(content))).toContain('In a bucket');
  const { items } = await call('GET', `${space.path}/content/files`);
  expect(await (await get(items[0].downloadURL)).text()).toBe('In a bucket');
});

test('a page of a site shows a formula, and its PDF and picture are made', async () => {
  const { path: site } = await aSite('public', insert('Start', 'The sum $$\\frac{a}{b}$$.'));
  const html = await (await get(`${site}/`)).text();
  expect(html).toMatch(/<math.*<mfrac>/);
  const pdf = await get(/href="([^"]*\/~octavo\/pdf\/[^"]+)"/.exec(html)?.[1] ?? '');
  expect((await pdf.text()).slice(0, 5)).toBe('%PDF-');
  const picture = await get(/"og:image" content="http:\/\/[^/]+([^"]+)"/.exec(html)?.[1] ?? '');
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
});

test('visitors and agents sign in to a site with a token, and agents search it', async () => {
  const { api, path: site } = await aSite('visitor-auth', insert('Start', 'The turbine.'));
  const { privateKey } = await call('GET', `${api}/publishing/auth`);
  const sign = (key: string) =>
    new SignJWT().setProtectedHeader({ alg: 'HS256' }).setExpirationTime('1h').sign(Buffer.from(key));
  const readWith = (token: string) => get(`${site}/`, { cookie: `octavo-visitor-token=${token}` });
  const token = await sign(privateKey);
  expect(await (await readWith(token)).text()).toContain('The turbine.');
  expect((await readWith(await sign('x'.repeat(43)))).status).toBe(403);
  const endpoint = new URL(`${site}/~octavo/mcp`, program.url);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  // The library answers the two revisions of the protocol with different code.
  for (const mode of ['legacy', { pin: '2026-07-28' }] as const) {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(endpoint, { requestInit }));
    const { content } = await client.callTool({ name: 'search', arguments: { query: 'turbine' } });
    expect(content).toMatchObject([{ text: expect.stringContaining('[Start]') }]);
    await client.close();
  }
});

test('the API is described as YAML, measured, and compressed', async () => {
  const [yaml, json] = await Promise.all([get('/openapi.yaml'), get('/openapi.json')]);
  expect(parse(await yaml.text())).toEqual(await json.json());
  expect(await (await get('/metrics')).text()).toMatch(/^octavo_request_seconds_count\{.*} \d+$/m);
  const { path: space } = await aSpace(insert('Long', 'word '.repeat(1000)));
  const { pages } = await call('GET', `${space}/content/pages`);
  const authorization = `Bearer ${program.token}`;
  for (const encoding of ['br', 'gzip']) {
    const to = `${space}/content/page/${pages[0].id}?format=markdown`;
    const answer = await get(to, { authorization, 'accept-encoding': encoding });
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(await answer.json()).toMatchObject({ title: 'Long' });
  }
});
