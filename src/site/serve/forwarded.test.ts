import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { idsOf, insert } from '../../../test/content.ts';
import { aPublishedSite, type PublishedSite } from '../../../test/published-site.ts';
import { aSide } from '../../../test/world.ts';

/** What the front leaves to the heavy process of requests to sites. */

let app: TestApp;
let site: PublishedSite;
let siteSpace: string;
let start: string;

const PAGES = 8;
const WORDS = 'Some words of a page. '.repeat(400);

beforeAll(async () => {
  app = await startApp({ hasHeavy: true });
  site = await aPublishedSite(app, await aSide(app, 'alpha'));
  const added = await site.addSpace('Manual');
  ({ siteSpace } = added);
  const { space } = added;
  [start = ''] = idsOf(await site.contents.edit(space, insert('Start', 'The beginning.')));
  for (let page = 1; page <= PAGES; page++) await site.contents.edit(space, insert(`Page ${page}`, WORDS));
  await site.contents.edit(space, insert('Large', WORDS.repeat(PAGES)));
  await site.contents.edit(
    space,
    insert('Links', Array.from({ length: 2500 }, (_each, n) => `[a](#${n})`).join(' ')),
  );
});

async function expectForwarded<T>(times: number, work: () => Promise<T>): Promise<T> {
  const before = app.forwarded();
  const result = await work();
  expect(app.forwarded() - before).toBe(times);
  return result;
}

const tool = (name: string, input: object) =>
  app.call('POST', `/${site.basename}/~octavo/mcp`, {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } },
    headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
  });

test('small pages, their Markdown, lists and searches are answered by the front', async () => {
  await expectForwarded(0, async () => {
    for (const path of ['/page-1', '/page-1.md', '/llms.txt', '/sitemap.xml', '/rss.xml'])
      expect([path, (await site.read(path)).status]).toEqual([path, 200]);
    const found = await site.read('/~octavo/search?q=beginning', { accept: 'application/json' });
    expect(found.body.items).toMatchObject([{ title: 'Start' }]);
  });
});

test.each([
  ['/large', 'Some words of a page.'],
  ['/large.md', 'Some words of a page.'],
  ['/links', '<a href="#2499">'],
  ['/llms-full.txt', '# Large'],
])('the heavy process answers %s', async (path, text) => {
  const answer = await expectForwarded(1, () => site.read(path));
  expect([answer.status, answer.text.includes(text)]).toEqual([200, true]);
});

test('the heavy process makes the PDF of any page', async () => {
  const path = `/${site.basename}/~octavo/pdf/${siteSpace}/${start}.pdf`;
  const answer = await expectForwarded(1, () => app.call('GET', path));
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/pdf']);
});

test('the heavy process performs tools of agents whose pages are large', async () => {
  const small = await expectForwarded(0, () => tool('get_page', { url: '/start' }));
  expect(small.body.result.content[0].text).toContain('The beginning.');
  const large = await expectForwarded(1, () => tool('get_page', { url: '/large' }));
  expect(large.body.result).not.toHaveProperty('isError', true);
  expect(large.body.result.content[0].text).toContain('Some words of a page.');
});
