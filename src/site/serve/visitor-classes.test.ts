import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { atEnd } from '../../../test/at-end.ts';
import { startApp, type TestApp } from '../../../test/app.ts';
import { idsOf, insert } from '../../../test/content.ts';
import { aPublishedSite, HTML, type PublishedSite } from '../../../test/published-site.ts';
import { aSide } from '../../../test/world.ts';

/** A process that has served other visitors answers as one that has served none. */

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const NOW = Math.floor(Date.now() / 1000);
const LATER = NOW + 2 * 60 * 60;

/** Conditions on the visitor; on their token, however it is written; and on a number that JSON text can hold. */
const CONDITIONS = [
  'visitor.claims.plan === "pro"',
  'visitor.claims.unsigned.beta === true',
  `visitor.claims.exp > ${LATER - 1}`,
  'visitor.claims.jti === "a"',
  'visitor.claims["j" + "ti"] === "a"',
  '"iat" in visitor.claims',
  `\`\${visitor.claims.nbf}\` === "${NOW - 1}"`,
  'visitor.claims.unsigned.jti === "a"',
  '1 / visitor.claims.number < 0',
];

/** All processes open the same files. */
const environment = { OCTAVO_FILES: mkdtempSync(path.join(tmpdir(), 'octavo-files-')) };
atEnd(() => rmSync(environment.OCTAVO_FILES, { recursive: true }));

let app: TestApp;
/** Has not written the content, so that all it knows of it was read. */
let warm: TestApp;
let site: PublishedSite;
let key: string;
/** Of the space with a page for each condition. */
let everyone: string;
let space: string;
/** The first page of that space, and the page of the first condition. */
let pages: string[];

beforeAll(async () => {
  app = await startApp({ environment });
  warm = await startApp({ beside: app, environment });
  site = await aPublishedSite(app, await aSide(app, 'alpha'), { title: 'Adaptive' });
  await site.change('PATCH', site.site, { adaptiveContent: { enabled: true } });
  key = (await site.change('GET', `${site.site}/publishing/auth`)).privateKey;
  const { id } = await site.change('POST', `${site.site}/sections`, {
    title: 'Manual',
    spaceId: (await site.contents.aSpace()).split('/').at(-1),
  });
  ({ space, siteSpace: everyone } = await site.addSpace('Everyone', id));
  const { insertedFiles } = await site.contents.edit(space, {
    operation: 'insert_files',
    files: CONDITIONS.map((_each, at) => ({ name: `file${at}.png`, base64: PNG, ref: `file${at}` })),
  });
  const fileIds = insertedFiles as readonly { id: string }[];
  const blocks = CONDITIONS.map(
    (condition, at) => `{% if ${condition} %}\nword block${at} ![](/files/${fileIds[at]?.id})\n{% endif %}\n`,
  );
  const shared = CONDITIONS.map((condition, at) => `{% if ${condition} %}\nword shared${at}\n{% endif %}\n`);
  const { changes } = await site.contents.edit(space, {
    operation: 'insert_reusable_content',
    title: 'Shared',
    document: { markdown: shared.join('\n') },
  });
  const [{ reusableContent }] = changes as readonly [{ reusableContent: { id: string } }];

  const values = ['plan', 'exp', 'jti', 'iat', 'nbf', 'unsigned.jti'].map(
    (name) => `word <code class="expression">visitor.claims.${name}</code>`,
  );
  const links = CONDITIONS.map((_each, at) => `[to ${at}](page-${at}.md)`);
  pages = idsOf(
    await site.contents.edit(
      space,
      insert('Welcome', [...blocks, ...values].join('\n\n')),
      ...CONDITIONS.map((condition, at) => insert(`Page ${at}`, `word page${at}`, { condition })),
      insert('Links', [...links, `{% include "/reusable-content/${reusableContent.id}" %}`].join('\n\n')),
    ),
  );
  const to = { kind: 'url', url: 'https://out.example/' };
  await site.change('PUT', `${site.site}/customization`, {
    header: {
      links: CONDITIONS.map((condition, at) => ({ title: `Header ${at}`, to, links: [], condition })),
    },
  });
  for (const [at, condition] of CONDITIONS.entries()) {
    const hidden = await site.addSpace(`Hidden ${at}`, id);
    await site.contents.edit(hidden.space, insert('Inside', `word space${at}`));
    await site.change('PATCH', `${site.site}/site-spaces/${hidden.siteSpace}`, { condition });
    const section = await site.change('POST', `${site.site}/sections`, {
      title: `Section ${at}`,
      spaceId: hidden.space.split('/').at(-1),
    });
    await site.change('PATCH', `${site.site}/sections/${section.id}`, { condition });
  }
});

/** A token with a payload that no JSON serialiser would write. */
function signed(payload: string): string {
  const parts = ['{"alg":"HS256"}', payload].map((part) => Buffer.from(part).toString('base64url'));
  return [...parts, createHmac('sha256', key).update(parts.join('.')).digest('base64url')].join('.');
}

const jti = fc.constantFrom('"a"', '"b"');
const optional = { requiredKeys: [] };
/** Members as JSON text. */
const signedClaims = fc.record(
  {
    exp: fc.constantFrom(NOW + 60 * 60, LATER),
    plan: fc.constantFrom('"pro"', '"free"'),
    jti,
    iat: fc.constantFrom(NOW - 1, NOW - 2),
    nbf: fc.constantFrom(NOW - 1, NOW - 2),
    number: fc.constantFrom('0', '-0'),
  },
  { requiredKeys: ['exp'] },
);
const unsignedClaims = fc.record({ beta: fc.constantFrom('true', 'false'), jti }, optional);
const visitors = fc.tuple(signedClaims, unsignedClaims);
/** A visitor, and the same visitor with the next token. */
const PRO: Claims = [{ exp: NOW + 60 * 60, plan: '"pro"', jti: '"a"', iat: NOW - 1, nbf: NOW - 1 }, {}];
const RENEWED: Claims = [{ exp: LATER, plan: '"pro"', jti: '"b"', nbf: NOW - 2 }, {}];
type Claims = typeof visitors extends fc.Arbitrary<infer T> ? T : never;

const json = (members: object): string =>
  `{${Object.entries(members).map(([name, value]) => `"${name}":${value}`)}}`;

const PATHS = [
  '/',
  ...CONDITIONS.flatMap((_each, at) => [`/everyone/page-${at}`, `/hidden-${at}/`, `/section-${at}/`]),
  ...CONDITIONS.flatMap((_each, at) => [`/everyone/page-${at}.md`]),
  '/everyone/welcome.md',
  '/everyone/',
  '/everyone/links',
  '/everyone/links.md',
  '/everyone/nothing',
  '/everyone/welcome/rss.xml',
  '/llms.txt',
  '/llms-full.txt',
  '/sitemap.xml',
  '/rss.xml',
  '/~octavo/search?q=word',
  '/~octavo/search?fragment&q=page0+block1+space2+absent',
];

async function everythingFor(on: TestApp, [claims, unsigned]: Claims): Promise<Map<string, string>> {
  const token = signed(json(claims));
  const cookie = `octavo-visitor-token=${token}; octavo-visitor-public=${encodeURIComponent(json(unsigned))}`;
  const answers = new Map<string, string>();
  const read = async (path: string, accept = HTML.accept) => {
    const headers = { accept, cookie };
    const { status, text, headers: sent } = await on.call('GET', `/${site.basename}${path}`, { headers });
    answers.set(`${accept} ${path}`, `${status} ${sent['etag']} ${sent['location']} ${text}`);
    return text;
  };
  for (const path of [...PATHS, `/~octavo/contents/${everyone}`]) await read(path);
  for (const page of ['', 'page-0', 'links']) await read(`/everyone/${page}`, 'text/markdown');
  await read('/~octavo/search?q=word', 'application/json');
  for (const page of pages.slice(0, 2)) {
    await read(`/~octavo/og/${everyone}/${page}.png`);
    // Whether there is one.
    answers.set(`pdf ${page}`, (await read(`/~octavo/pdf/${everyone}/${page}.pdf`)).slice(0, 4));
    answers.delete(`${HTML.accept} /~octavo/pdf/${everyone}/${page}.pdf`);
  }
  const shown = (await read('/everyone/')).matchAll(/src="[^"]*(\/~octavo\/file\/[^"]*)"/g);
  for (const [, path = ''] of shown) await read(path.replaceAll(/&(?:amp|#38);/g, '&'));
  for (const [name, args] of [
    ['search', { query: 'word' }],
    ['get_page', { url: '/everyone/' }],
    ...CONDITIONS.flatMap((_each, at) => [
      ['search', { query: `page${at} block${at}` }] as const,
      ['get_page', { url: `/everyone/page-${at}` }] as const,
    ]),
  ] as const) {
    const answer = await on.call('POST', `/${site.basename}/~octavo/mcp`, {
      headers: { cookie, accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    });
    expect(answer.status, answer.text).toBe(200);
    answers.set(`${name} ${JSON.stringify(args)}`, answer.text);
  }
  await readAsProgram(on, answers, { jwtToken: token, unsignedClaims: JSON.parse(json(unsigned)) as object });
  return answers;
}

/** Reads as a program that renders the site for the visitor. */
async function readAsProgram(on: TestApp, answers: Map<string, string>, visitor: object): Promise<void> {
  const url = `http://octavo.test/${site.basename}/everyone/`;
  const resolved = await on.call('POST', '/v1/urls/published', { body: { url, visitor } });
  answers.set('urls/published', resolved.text);
  const call = async (method: string, path: string, body?: object) => {
    const answer = await on.call(method, path, { token: resolved.body.apiToken, ...(body && { body }) });
    answers.set(`${method} ${path} ${JSON.stringify(body)}`, `${answer.status} ${answer.text}`);
  };
  await call('GET', `${space}/content`);
  await call('GET', `${space}/content/pages`);
  for (const at of CONDITIONS.keys()) await call('GET', `${space}/content/path/page-${at}?format=markdown`);
  for (const page of ['welcome', 'links']) await call('GET', `${space}/content/path/${page}?format=markdown`);
  await call('GET', `${space}/content/files`);
  await call('GET', `${site.site}/published`);
  await call('POST', `${site.site}/search`, { query: 'word', mode: 'all' });
}

/** The addresses whose answers differ: the answers themselves are long. */
const differences = (warm: Map<string, string>, cold: Map<string, string>): string[] =>
  [...warm].flatMap(([what, text]) => (cold.get(what) === text ? [] : [what]));

test('a warm process and a cold one show a visitor the same', async () => {
  await fc.assert(
    fc.asyncProperty(visitors, visitors, async (first, second) => {
      await everythingFor(warm, first);
      const cold = await startApp({ beside: app, environment });
      const warmAnswers = await everythingFor(warm, second);
      expect(differences(warmAnswers, await everythingFor(cold, second))).toEqual([]);
      await cold.app.close();
    }),
    { numRuns: 3, endOnFailure: true, examples: [[PRO, RENEWED]] },
  );
}, 300_000);
