import { SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { insert } from '../../../test/content.ts';
import { aPublishedSite, type PublishedSite } from '../../../test/published-site.ts';
import { aSide } from '../../../test/world.ts';

/** Reusable content and conditions in the forms of a page that are not HTML. */

let app: TestApp;
let site: PublishedSite;
let asPro: Record<string, string>;
let base: string;

const PRO = `visitor.claims.plan === 'pro'`;

beforeAll(async () => {
  app = await startApp();
  site = await aPublishedSite(app, await aSide(app, 'alpha'), { title: 'Included' });
  base = `http://octavo.test/${site.basename}`;
  await site.change('PATCH', site.site, { adaptiveContent: { enabled: true } });
  const { space } = await site.addSpace('Manual');
  const { changes } = await site.contents.edit(
    space,
    insert('Home', 'First page.'),
    insert('Setup', 'Run it.', { slug: 'setup' }),
    insert('Pro page', 'classified page', { condition: PRO }),
  );
  const [, setup, proPage] = changes.map((each: { page: { id: string } }) => each.page.id);
  const contentOf = async (title: string, markdown: string): Promise<string> => {
    const change = { operation: 'insert_reusable_content', title, document: { markdown } };
    return (await site.contents.edit(space, change)).changes[0].reusableContent.id;
  };
  const include = (id: string) => `{% include "/reusable-content/${id}" %}`;
  const inner = await contentOf('Inner', 'The *innermost* text.\n');
  const outer = await contentOf(
    'Outer',
    `## Shared\n\nSee [setup](/pages/${setup}) and [that](/pages/${proPage}).\n\n${include(inner)}\n\n` +
      `{% if ${PRO} %}\nclassified block\n{% endif %}\n`,
  );
  await site.contents.edit(space, {
    operation: 'update_reusable_content',
    reusableContent: inner,
    document: { markdown: `The *innermost* text.\n\n${include(outer)}\n` },
  });
  await site.contents.edit(
    space,
    insert(
      'Welcome',
      `Before.\n\n${include(outer)}\n\n- Item\n\n  ${include(inner)}\n\n{% if ${PRO} %}\n${include(inner)}\n\n` +
        `classified condition\n{% endif %}\n\nAfter.\n`,
      { slug: 'welcome' },
    ),
    insert('Large', `${include(inner)}\n\n${'Many words. '.repeat(6000)}\n`, { slug: 'large' }),
  );
  const { privateKey } = await site.change('GET', `${site.site}/publishing/auth`);
  const token = await new SignJWT({ plan: 'pro' })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(privateKey));
  asPro = { cookie: `octavo-visitor-token=${token}` };
});

async function fromMcp(headers: Record<string, string>): Promise<string> {
  const params = { name: 'get_page', arguments: { url: '/welcome' } };
  const answer = await app.app.server.inject({
    method: 'POST',
    url: `/${site.basename}/~octavo/mcp`,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
      ...headers,
    },
    payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  return answer.json().result.content[0].text;
}

type Read = (headers?: Record<string, string>) => Promise<string>;
const FORMS: readonly (readonly [name: string, read: Read])[] = [
  ['.md', async (headers = {}) => (await site.read('/welcome.md', headers)).text],
  [
    'Accept: text/markdown',
    async (headers = {}) => (await site.read('/welcome', { ...headers, accept: 'text/markdown' })).text,
  ],
  [
    'llms-full.txt',
    async (headers = {}) => {
      const { text } = await site.read('/llms-full.txt', headers);
      return text.split('---').find((part) => part.includes('# Welcome')) ?? '';
    },
  ],
  ['get_page of MCP', async (headers = {}) => fromMcp(headers)],
];

describe.each(FORMS)('%s', (_name, read) => {
  test('contains reusable content, that inside other content too, and never itself', async () => {
    const text = await read();
    expect(text).toContain('# Welcome\n\nBefore.\n\n## Shared\n\n');
    expect(text).toContain(`See [setup](${base}/setup)`);
    // Inner in outer, and in the list; outer once more inside that.
    expect(text.match(/innermost/g)).toHaveLength(2);
    expect(text).toMatch(/^\* Item\n\n {2}The _innermost_ text\./m);
    expect(text).toContain('After.');
    expect(text).not.toContain('{% include');
  });

  test('evaluates conditions as the page does', async () => {
    const anonymous = await read();
    expect(anonymous).not.toMatch(/classified|pro-page|\{% if/);
    const pro = await read(asPro);
    expect(pro).toContain('classified block');
    expect(pro).toContain('classified condition');
    expect(pro).toContain(`[that](${base}/pro-page)`);
    expect(pro.match(/innermost/g)?.length).toBeGreaterThan(2);
  });
});

test('a large page contains reusable content', async () => {
  const { status, text } = await site.read('/large.md');
  expect([status, text.includes('{% include')]).toEqual([200, false]);
  expect(text).toContain('# Large\n\nThe _innermost_ text.\n\n## Shared');
  expect(text).toContain('Many words.');
});
