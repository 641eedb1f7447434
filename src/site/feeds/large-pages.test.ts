import { beforeAll, describe, expect, test, vi } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { idsOf, insert } from '../../../test/content.ts';
import { aPublishedSite, type PublishedSite } from '../../../test/published-site.ts';
import { aSide } from '../../../test/world.ts';
import * as bodies from '../../content-engine/evaluation/render-body.ts';

/** Search results and feeds of pages that are too large for the front. */

let app: TestApp;
let site: PublishedSite;
let manual: Awaited<ReturnType<PublishedSite['addSpace']>>;

const DEPTH = 6;
const LARGE = 6;

const nestedUpdates = (depth: number): string =>
  depth === 0
    ? `The last of them. ${'word '.repeat(20_000)}`
    : `{% updates format="full" %}\n{% update date="2026-01-0${depth}" %}\n## Level ${depth}\n\n${nestedUpdates(depth - 1)}\n{% endupdate %}\n{% endupdates %}`;

beforeAll(async () => {
  app = await startApp();
  site = await aPublishedSite(app, await aSide(app, 'alpha'));
  manual = await site.addSpace('Manual');
  const { space } = manual;
  const long = 'word '.repeat(12_000);
  await site.contents.edit(
    space,
    insert('Start', 'Text.'),
    insert('Log', nestedUpdates(DEPTH)),
    insert('None', `Code: \`{% update %}\`. ${long}`),
    insert(
      'Choice',
      `{% if false %}\nquartz lapis\n{% endif %}\n\n${long}\n\n## Stones\n\n${long} the jade quartz.`,
    ),
  );
  for (let page = 0; page < LARGE; page++)
    await site.contents.edit(space, insert(`Page ${page}`, `An expression. ${'a '.repeat(920_000)}`));
}, 120_000);

/** How many pages are parsed meanwhile. */
async function countParsed(work: () => Promise<unknown>): Promise<number> {
  const parse = vi.spyOn(bodies, 'documentFor');
  try {
    await work();
    return parse.mock.calls.length;
  } finally {
    parse.mockRestore();
  }
}

const search = async (query: string) =>
  (await site.read(`/~octavo/search?q=${query}`, { accept: 'application/json' })).body;

describe('search', () => {
  test('evaluates a large page, and shows an excerpt of what is visible', async () => {
    const parsed = await countParsed(async () => {
      const { items } = await search('jade+quartz');
      expect(items).toMatchObject([{ title: 'Choice', sections: [{ title: 'Stones' }] }]);
      expect(items[0].sections[0].excerpt).toMatch(/the jade quartz\.$/);
    });
    expect(parsed).toBe(1);
    expect((await search('quartz+lapis')).items[0].sections[0].excerpt).not.toContain('lapis');
  });

  test('evaluates a limited amount of text', async () => {
    const parsed = await countParsed(async () => expect((await search('a+a')).count).toBe(LARGE - 1));
    expect(parsed).toBe(LARGE - 1);
  });
});

describe('the feed of a page', () => {
  test('has the beginning of each update, also of nested ones, and is made once', async () => {
    const read = () => site.read('/log/rss.xml');
    const parsed = await countParsed(async () => {
      const { text } = await read();
      const titles = Array.from(text.matchAll(/<item><title>(.*?)<\/title>/g), ([, title]) => title);
      expect(titles).toEqual(Array.from({ length: DEPTH }, (_each, level) => `Level ${DEPTH - level}`));
      for (const [, description = ''] of text.matchAll(/<item>.*?<description>(.*?)<\/description>/gs))
        expect(description).toHaveLength(2000);
    });
    expect(parsed).toBe(1);
    expect(await countParsed(read)).toBe(0);
  });

  test('without updates is not found, which is found out once', async () => {
    const read = async () => expect((await site.read('/none/rss.xml')).status).toBe(404);
    expect(await countParsed(read)).toBe(1);
    expect(await countParsed(read)).toBe(0);
  });
});

test('a page whose links become too many URLs is refused as Markdown', async () => {
  const { space } = manual;
  let parent: string | undefined;
  for (let level = 1; level <= 19; level++) {
    const change = insert(`Level ${level}`, 'Text', { slug: 'l'.repeat(99), into: parent });
    [parent] = idsOf(await site.contents.edit(space, change));
  }
  await site.contents.edit(space, insert('Many links', `[a](/pages/${parent}) `.repeat(10_000)));
  expect(await site.read('/many-links.md')).toMatchObject({
    status: 413,
    text: expect.stringContaining('is more than 16 MB as Markdown'),
  });
});
