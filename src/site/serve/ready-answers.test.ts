import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { idsOf, insert } from '../../../test/content.ts';
import { aPublishedSite, HTML, type PublishedSite } from '../../../test/published-site.ts';
import { aSide, type Side } from '../../../test/world.ts';

/** Whole responses of public pages, sent before the router. */

const TOKEN = 'a token for metrics';

let app: TestApp;
let second: TestApp;
let side: Side;

beforeAll(async () => {
  app = await startApp({ environment: { OCTAVO_METRICS_TOKEN: TOKEN } });
  second = await startApp({ beside: app });
  side = await aSide(app, 'alpha');
});

async function aSite(): Promise<PublishedSite & { edit(markdown: string): Promise<unknown> }> {
  const site = await aPublishedSite(app, side);
  const { space } = await site.addSpace('Manual');
  const [page] = idsOf(await site.contents.edit(space, insert('Welcome', 'First words. '.repeat(60))));
  const edit = (markdown: string) =>
    site.contents.edit(space, { operation: 'update_page', page, document: { markdown } });
  return { ...site, edit };
}

/** How many responses were ready so far. Scrapes are made once per second. */
async function readyCount(): Promise<number> {
  const { text } = await app.call('GET', '/metrics', { headers: { authorization: `Bearer ${TOKEN}` } });
  return Number(/^octavo_ready_answers_total (\d+)$/m.exec(text)?.[1]);
}

/** Node adds these. */
const without = ({ date: _date, connection: _connection, ...headers }: Record<string, string | undefined>) =>
  headers;

describe('a ready answer', () => {
  test('is the one that was made', async () => {
    const site = await aSite();
    const compressed = { 'accept-encoding': 'br' };
    for (const headers of [{}, compressed]) {
      const [made, ready] = [await site.read('/', headers), await site.read('/', headers)];
      const { 'x-request-id': madeId, ...before } = made.headers;
      const { 'x-request-id': readyId, ...after } = ready.headers;
      expect([ready.status, ready.text]).toEqual([200, made.text]);
      expect(readyId).not.toBe(madeId);
      expect(without(after)).toEqual(without(before));
    }
    const unchanged = await site.read('/', { 'if-none-match': (await site.read('/')).headers['etag'] ?? '' });
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
    expect(unchanged.headers['content-encoding']).toBeUndefined();
    // A response is made again while the connection that reports changes is behind.
    const readAndCount = async () => (await site.read('/'), readyCount());
    await expect.poll(readAndCount).toBeGreaterThanOrEqual(4);
  });

  test.each([60, 20_000])('counts a view once, of a page of %i words', async (words) => {
    const site = await aSite();
    await site.edit('word '.repeat(words));
    for (let time = 0; time < 4; time++) expect((await site.read('/')).status).toBe(200);
    const views = [...app.app.context.caches.insights.views.values()];
    expect(views.filter(({ siteId }) => siteId === site.id)).toMatchObject([{ views: 4 }]);
  });

  test('is not sent to requests that bring something of their own', async () => {
    const site = await aSite();
    await site.read('/');
    await site.read('/');
    const markdown = await site.read('/', { accept: 'text/markdown' });
    expect(markdown.headers['content-type']).toContain('text/markdown');
    const claimed = await app.call('GET', `/${site.basename}/?visitor.plan=pro`, { headers: HTML });
    expect(claimed.text).toContain('First words.');
    const posted = await app.call('POST', `/${site.basename}/`, { headers: HTML });
    expect(posted.status).toBe(405);
  });

  test.each<[string, (site: Awaited<ReturnType<typeof aSite>>) => Promise<unknown>, RegExp | number]>([
    ['an edit', (site) => site.edit('Second words.'), /Second words/],
    ['a new title', (site) => site.change('PATCH', site.site, { title: 'Another title' }), /Another title/],
    ['unpublishing', (site) => site.change('POST', `${site.site}/unpublish`), 404],
    ['share links only', (site) => site.change('PATCH', site.site, { visibility: 'share-link' }), 403],
    ['another basename', (site) => site.change('PATCH', site.site, { basename: `${site.basename}-2` }), 404],
    ['deletion', (site) => site.change('DELETE', site.site), 404],
  ])('ends with %s, on every process', async (_name, change, expected) => {
    const site = await aSite();
    const readOn = (on: TestApp) => on.call('GET', `/${site.basename}/`, { headers: HTML });
    for (const on of [app, second, app, second])
      await expect.poll(async () => (await readOn(on)).text).toContain('First words.');
    await change(site);
    const outcome = async (on: TestApp) => {
      const { status, text } = await readOn(on);
      return typeof expected === 'number' ? status === expected : expected.test(text);
    };
    expect(await outcome(app)).toBe(true);
    await expect.poll(() => outcome(second)).toBe(true);
  });
});
