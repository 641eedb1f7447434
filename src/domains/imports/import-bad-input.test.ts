import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { docx } from '../../../test/docx.ts';
import { replaceOutbound, startImporting, zipOf, type Importing } from '../../../test/importing.ts';
import { PUBLIC } from '../../../test/hostile-names.ts';
import { performImports } from '../../../test/import-runs.ts';
import { expectError } from '../../../test/refusal.ts';
import { aPage, html, redirectTo, respond, type Handler, type Site } from '../../../test/site.ts';
import { craftZip, type CraftedEntry } from '../../../test/zip.ts';
import { dialTcp } from '../../platform/outbound/connect.ts';

const MB = 1024 * 1024;
const PAGES = 40;

const crafted = (...entries: CraftedEntry[]): Handler =>
  respond(200, { 'content-type': 'application/zip' }, craftZip(entries));

/** Sends without an end, as fast as it is read. */
const endless: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  const more = () => {
    while (response.write(Buffer.alloc(MB, 'x')));
  };
  response.on('drain', more);
  more();
};

const announced: Handler = (_request, response) =>
  response.writeHead(200, { 'content-type': 'text/html', 'content-length': 200 * MB }).write('<p>');

const encoded = (encoding: string, bytes: Buffer): Handler =>
  respond(200, { 'content-type': 'text/html', 'content-encoding': encoding }, bytes);

const truncated: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html', 'content-length': 1000 }).write('<p>');
  setImmediate(() => response.destroy());
};

const zeros = Buffer.alloc(30 * MB);

/** 100,000 pages, of which each links to 100 others. */
const generated: Handler = (request, response) => {
  const at = Number(request.url?.slice('/maze/p'.length) || 0);
  const links = Array.from({ length: 100 }, (_, index) => (at * 100 + index + 1) % 100_000);
  html(aPage(`Page ${at}`, links.map((to) => `<a href="/maze/p${to}">p</a>`).join('')))(request, response);
};

const SITE: Site = {
  '/to-private': redirectTo('http://10.0.0.1/'),
  '/to-metadata': redirectTo('http://169.254.169.254/latest/meta-data/'),
  '/to-file': redirectTo('file:///etc/passwd'),
  '/loop': redirectTo('/loop'),
  '/ping': redirectTo('/pong'),
  '/pong': redirectTo('/ping'),
  '/login': respond(401),
  '/overloaded': respond(500),
  '/announced': announced,
  '/endless': endless,
  '/gzip': encoded('gzip', gzipSync(zeros)),
  '/gzip-of-archive': encoded('gzip', gzipSync(Buffer.alloc(110 * MB), { level: 1 })),
  '/br': encoded('br', brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })),
  '/twice': encoded('gzip, gzip', gzipSync(gzipSync('x'))),
  '/not-gzip': encoded('gzip', Buffer.from('<p>plain')),
  '/truncated': truncated,
  '/slip.zip': crafted({ name: 'a.md', content: '# A\n' }, { name: '../../etc/cron.d/x', content: 'x' }),
  '/absolute.zip': crafted({ name: 'a/../../b.md', content: '# A\n' }),
  '/backslash.zip': crafted({ name: '..\\..\\b.md', content: '# A\n' }),
  '/bomb.zip': crafted({ name: 'a.md', content: Buffer.alloc(20 * MB), deflate: true }),
  '/declared.zip': crafted(
    { name: 'a.md', content: '# A\n' },
    { name: 'b.bin', content: 'x', size: 2 ** 31, compressedSize: 2 ** 31 },
  ),
  '/overlap.zip': crafted({ name: 'a.md', content: '# A\n' }, { name: 'b.md', content: '# B\n', offset: 0 }),
  '/entries.zip': respond(200, {}, craftZip([{ name: 'a.md', content: '# A\n' }], { count: 30_000 })),
  '/encrypted.zip': crafted({ name: 'a.md', content: '# A\n', flags: 0x801, deflate: true }),
  '/repeated.zip': zipOf({
    'SUMMARY.md': `* [Last](z.md)\n## Group\n${'* [Again](a.md)\n'.repeat(500)}* [Beyond](b.md)\n`,
    'a.md': '# A\n',
    'b.md': '# B\n',
    'z.md': '# Z\n',
  }),
  '/long-summary.zip': zipOf({ 'SUMMARY.md': '* [Again](a.md)\n'.repeat(150_000), 'a.md': '# A\n' }),
  '/empty.zip': zipOf({}),
  '/no-pages.zip': zipOf({ 'a.bin': 'x' }),
  '/xml.zip': zipOf({ 'entities.xml': '<x/>', 'exportDescriptor.properties': 'x' }),
  '/text.docx': respond(200, {}, 'Dear Sir or Madam'),
  '/not-word.docx': zipOf({ 'a.txt': 'x' }),
  '/damaged.docx': respond(200, {}, docx('<w:p>')),
  '/cut.docx': respond(200, {}, docx('<w:p/>').subarray(0, 600)),
  '/bomb.docx': respond(
    200,
    {},
    craftZip([
      { name: '[Content_Types].xml', content: '<a/>' },
      { name: 'word/document.xml', content: Buffer.alloc(40 * MB, '<a>'), deflate: true },
    ]),
  ),
  '/entities.docx': respond(
    200,
    {},
    docx('', { 'word/x.xml': '<!DOCTYPE a [<!ENTITY b "cc"><!ENTITY c "&b;&b;">]><a>&c;</a>' }),
  ),
  '/picture': respond(200, { 'content-type': 'image/png' }, '\x89PNG\r\n'),
  '/nothing': html(''),
  '/binary': html('<p>\0\0\0\0\0\0\0\0\0\0'),
  '/deep': html('<div>'.repeat(200_000)),
  '/hidden/robots': aPage('Hidden'),
  '/robots.txt': respond(200, { 'content-type': 'text/plain' }, 'User-agent: *\nDisallow: /hidden\n'),
  '/page': aPage('Page'),
};

let importing: Importing;
let closedPort: number;
let space: string;

beforeAll(async () => {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  closedPort = (listener.address() as AddressInfo).port;
  listener.close();
  const other: Handler = (request, response) =>
    request.url?.startsWith('/maze/') ? generated(request, response) : response.writeHead(404).end();
  importing = await startImporting(
    SITE,
    { environment: { OCTAVO_OUTBOUND_ALLOW: '127.0.0.1:*', OCTAVO_IMPORT_PAGES: String(PAGES) } },
    other,
  );
  space = await importing.contents.aSpace();
});

/** Source, URL or path, status, and what the message must say. */
const CASES: readonly [source: string, from: string, status: number, message: RegExp][] = [
  // Hosts
  ['website', 'http://127.0.0.1:CLOSED/', 400, /cannot be reached/],
  ['zip', 'http://127.0.0.1:CLOSED/a.zip', 400, /cannot be reached/],
  ['website', 'http://nowhere.invalid/', 400, /nowhere\.invalid/],
  ['website', 'http://10.0.0.1/', 400, /10\.0\.0\.1 is not a public address/],
  ['zip', 'http://[::1]/a.zip', 400, /not a public address/],
  ['html', 'http://169.254.169.254/latest/meta-data/', 400, /not a public address/],
  ['markdown', 'http://localhost/a.md', 400, /localhost/],
  ['docx', 'ftp://example.org/a.docx', 400, /http/],
  ['website', 'http://user:secret@example.org/', 400, /user name/],
  // Redirects
  ['website', '/to-private', 400, /10\.0\.0\.1 is not a public address/],
  ['zip', '/to-private', 400, /10\.0\.0\.1 is not a public address/],
  ['docx', '/to-metadata', 400, /169\.254\.169\.254 is not a public address/],
  ['html', '/to-file', 400, /http/],
  ['website', '/loop', 400, /redirects more than/],
  ['markdown', '/ping', 400, /redirects more than/],
  // Responses
  ['website', '/missing', 400, /returned 404/],
  ['markdown', '/missing', 400, /returned 404/],
  ['html', '/login', 400, /returned 401\. .*login/],
  ['website', '/overloaded', 400, /returned 500\. Try again later/],
  ['website', '/truncated', 400, /truncated|cannot be reached/],
  ['html', '/truncated', 400, /truncated/],
  ['website', '/picture', 422, /image\/png, not a web page/],
  // Large pages and decompression bombs
  ['website', '/announced', 413, /exceeds 4 MB/],
  ['html', '/announced', 413, /exceeds/],
  ['website', '/endless', 413, /exceeds/],
  ['html', '/endless', 413, /exceeds/],
  ['website', '/gzip', 413, /exceeds/],
  ['html', '/gzip', 413, /exceeds/],
  ['zip', '/gzip-of-archive', 413, /exceeds/],
  ['website', '/br', 413, /exceeds/],
  ['html', '/twice', 400, /encoding/],
  ['website', '/not-gzip', 400, /damaged/],
  ['website', '/deep', 413, /levels|nested|deep|elements/],
  // Archives
  ['zip', '/slip.zip', 422, /outside of its folder/],
  ['zip', '/absolute.zip', 422, /outside of its folder/],
  ['notion', '/backslash.zip', 422, /outside of its folder/],
  ['zip', '/bomb.zip', 413, /1000:1/],
  ['zip', '/declared.zip', 413, /unpacked/],
  ['zip', '/overlap.zip', 422, /damaged/],
  ['zip', '/entries.zip', 413, /30000 entries/],
  ['zip', '/encrypted.zip', 422, /encrypted\. Remove its password/],
  ['confluence', '/encrypted.zip', 422, /encrypted/],
  ['zip', '/empty.zip', 422, /No page was found/],
  ['zip', '/no-pages.zip', 422, /No page was found/],
  ['confluence', '/xml.zip', 422, /Export the space as HTML/],
  ['confluence', '/page', 422, /Export the space as HTML/],
  ['zip', '/page', 422, /not a ZIP/],
  // Documents
  ['docx', '/text.docx', 422, /not a Word document/],
  ['docx', '/not-word.docx', 422, /not a Word document/],
  ['docx', '/page', 422, /not a Word document/],
  ['docx', '/damaged.docx', 422, /damaged/],
  ['docx', '/cut.docx', 422, /damaged/],
  ['docx', '/bomb.docx', 413, /1000:1|MB/],
  ['docx', '/entities.docx', 422, /DOCTYPE/],
  ['markdown', '/page', 422, /HTML, not Markdown/],
  // Pages without content
  ['website', '/binary', 422, /not text/],
  ['html', '/binary', 422, /not text/],
  ['website', '/hidden/robots', 422, /robots\.txt/],
];

/** An instruction, or who can help. */
const ADVICE =
  /Check|Send|Remove|Export|Try again|Split|[Cc]reate|choose|can allow|Save|Import a smaller|Ask its operator|must renew|login|only https/;

const urlOf = (from: string) =>
  from.startsWith('/') ? importing.site.url + from : from.replace('CLOSED', String(closedPort));

describe.each(CASES)('%s from %s', (source, from, status, message) => {
  test(`is refused with ${status}, and nothing changes`, async () => {
    const before = await importing.revisionOf(space);
    const answer = await importing.importInto(`${space}/content`, source, urlOf(from));
    expectError(answer, status, message);
    expect(answer.body.error.message).toMatch(ADVICE);
    expect(answer.body.error.details).toMatchObject([{ path: 'body.url' }]);
    expect(await importing.revisionOf(space)).toBe(before);
  });
});

test('in the background, the same errors are those of the runs', async () => {
  const { app, side, contents, revisionOf } = importing;
  const before = await revisionOf(space);
  const runs = `/v1/org/${side.organizationId}/imports`;
  const refused = new Set<string>();
  for (const [source, from, , message] of CASES) {
    const body = {
      source: { type: 'url', url: urlOf(from), source },
      target: { space: space.split('/').at(-1) },
    };
    const started = await contents.call('POST', runs, body);
    if (started.status === 400) {
      refused.add(from);
      continue;
    }
    expect(started.status, started.text).toBe(201);
    await performImports(app);
    const run = await contents.get(`${runs}/${started.body.id}`);
    expect([source, from, run.status]).toEqual([source, from, 'failed']);
    expect(run.error.message).toMatch(message);
    expect(run.error.message).toMatch(ADVICE);
  }
  expect([...refused]).toEqual(['ftp://example.org/a.docx', 'http://user:secret@example.org/']);
  expect(await revisionOf(space)).toBe(before);
});

describe('a partial result', () => {
  test('of a website of 100,000 generated pages says what was left out', async () => {
    const { contents, importInto } = importing;
    const target = await contents.aSpace();
    const { status, text, body } = await importInto(`${target}/content`, 'website', '/maze/');
    expect(status, text).toBe(201);
    expect(body.importedResources).toBe(PAGES);
    expect(body.totalResources).toBeGreaterThan(2000);
    expect(body.skipped).toHaveLength(100);
    expect(body.skipped[0]).toEqual({
      source: expect.stringContaining('/maze/p'),
      reason: `limit of ${PAGES} pages`,
    });
    expect(await contents.pages(target)).not.toEqual([]);
  });

  test('of a SUMMARY.md with too many entries of every type says what was left out', async () => {
    const { contents, importInto } = importing;
    const target = await contents.aSpace();
    const { body } = await importInto(`${target}/content`, 'zip', '/repeated.zip');
    // Of 503 entries: the pages Last and Again, a group and 77 links.
    expect(body).toMatchObject({ importedResources: 2, totalResources: 425 });
    expect(body.skipped[0]).toEqual({ source: 'Again', reason: `limit of ${2 * PAGES} entries` });
    const pages = (await contents.pages(target)).flatMap((page) => [page, ...(page.pages ?? [])]);
    expect(pages).toHaveLength(2 * PAGES);
  });

  test('of an archive whose SUMMARY.md is too large has the inferred outline', async () => {
    const { contents, importInto } = importing;
    const { body } = await importInto(`${await contents.aSpace()}/content`, 'zip', '/long-summary.zip');
    expect(body.importedResources).toBe(1);
    expect(body.skipped).toEqual([{ source: 'SUMMARY.md', reason: 'the file exceeds 2 MB' }]);
  });

  test('of a page without text is that page', async () => {
    const { contents, importInto } = importing;
    const { status, text } = await importInto(`${await contents.aSpace()}/content`, 'website', '/nothing');
    expect([201, 422], text).toContain(status);
  });
});

test('a name that leads elsewhere the second time is not followed', async () => {
  const { app, contents, importInto, site, revisionOf } = importing;
  const target = await contents.aSpace();
  const before = await revisionOf(target);
  const { outbound } = app.app.context;
  for (const source of ['website', 'zip']) {
    for (let publicLookups = 0; publicLookups < 2; publicLookups++) {
      const dialled: string[] = [];
      let lookups = 0;
      replaceOutbound(app, {
        allow: [],
        ownAddresses: [],
        resolve: () => Promise.resolve(lookups++ < publicLookups ? [PUBLIC] : ['127.0.0.1']),
        dial: (address) => {
          dialled.push(address);
          return Object.defineProperty(dialTcp('127.0.0.1', site.port), 'remoteAddress', { value: address });
        },
      });
      const from = source === 'zip' ? 'http://rebinding.example/loop' : 'http://rebinding.example/page';
      expectError(await importInto(`${target}/content`, source, from), 400, /not a public address/);
      expect(dialled.filter((address) => address !== PUBLIC)).toEqual([]);
    }
  }
  Object.assign(app.app.context, { outbound });
  expect(await revisionOf(target)).toBe(before);
});
