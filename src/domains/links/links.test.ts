import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type Answer, type TestApp } from '../../../test/app.ts';
import { contentsOf, idsOf, insert, type Contents } from '../../../test/content.ts';
import { describeLink, nameOf } from '../../../test/links.ts';
import { expectError } from '../../../test/refusal.ts';
import { aSide, type Side } from '../../../test/world.ts';

let app: TestApp;
let side: Side;
let contents: Contents;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'links');
  contents = contentsOf(app, side);
});

const idOf = (space: string) => space.split('/').at(-1) ?? '';

/** `status target ← sources` of each item, sorted. */
async function linksIn(path: string, query = ''): Promise<string[]> {
  const { items } = await contents.get(`${path}/links${query}`);
  return items.map(describeLink).toSorted();
}

const write = (page: string, markdown: string) => ({
  operation: 'update_page',
  page,
  document: { markdown },
});

describe('the links of a space', () => {
  test('are grouped by target, with their status', async () => {
    const space = await contents.aSpace();
    await contents.edit(
      space,
      insert('Target', '## Heading\n\nText.'),
      insert('A', '[t](/pages/target) [t](/pages/target#heading) [x](/pages/target#gone) [own](#nothing)'),
      insert(
        'B',
        '[t](/pages/target) [m](missing.md) [u](https://example.org/x) [app](http://octavo.test/app/x)',
      ),
    );
    expect(await linksIn(space)).toEqual([
      'broken A#nothing <- A',
      'broken Target#gone <- A',
      'broken missing.md <- B',
      'in-app http://octavo.test/app/x <- B',
      'ok Target <- A B',
      'ok Target#heading <- A',
      'ok https://example.org/x <- B',
    ]);
    const all = await contents.get(`${space}/links`);
    expect([all.count, all.stats]).toEqual([7, { total: 7, broken: { total: 3 } }]);
    for (const [status, count] of [
      ['ok', 3],
      ['broken', 3],
      ['in-app', 1],
    ] as const) {
      const some = await contents.get(`${space}/links?status=${status}`);
      expect([some.count, some.items.length]).toEqual([count, count]);
      expect(new Set(some.items.map((item: Answer['body']) => item.status))).toEqual(new Set([status]));
    }
    const none = await contents.get(`${space}/links?limit=0`);
    expect([none.count, none.items]).toEqual([7, []]);
  });

  test('are paged: each target once', async () => {
    const space = await contents.aSpace();
    const many = Array.from({ length: 40 }, (_, index) => `[x](missing-${index}.md)`).join(' ');
    await contents.edit(space, insert('Many', many));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page: Answer['body'] = await contents.get(
        `${space}/links?limit=7${cursor ? `&page=${encodeURIComponent(cursor)}` : ''}`,
      );
      expect(page.count).toBe(40);
      seen.push(...page.items.map((item: Answer['body']) => item.href));
      cursor = page.next?.page;
    } while (cursor);
    expect([seen.length, new Set(seen).size]).toEqual([40, 40]);
    expectError(await contents.call('GET', `${space}/links?limit=7&status=ok&page=abc.def`), 400);
  });

  test('of an empty space are none', async () => {
    const space = await contents.aSpace();
    expect(await contents.get(`${space}/links`)).toEqual({
      count: 0,
      items: [],
      stats: { total: 0, broken: { total: 0 } },
    });
  });

  test('of one page are those of that page', async () => {
    const space = await contents.aSpace();
    const [, a = ''] = idsOf(
      await contents.edit(
        space,
        insert('T'),
        insert('A', '[t](/pages/t) [m](m.md)'),
        insert('B', '[t](/pages/t)'),
      ),
    );
    expect(await linksIn(`${space}/content/page/${a}`)).toEqual(['broken m.md <- A', 'ok T <- A']);
    const page = await contents.get(`${space}/content/page/${a}/links?status=broken`);
    expect([page.count, page.stats]).toEqual([1, { total: 2, broken: { total: 1 } }]);
    expectError(await contents.call('GET', `${space}/content/page/unknown/links`), 404);
  });
});

describe('a link', () => {
  test('to a page that does not exist yet resolves when the page appears, and the other way round', async () => {
    const space = await contents.aSpace();
    await contents.edit(space, insert('A', '[x](later.md#intro)'));
    expect(await linksIn(space)).toEqual(['broken later.md <- A']);
    const inserted = await contents.edit(space, insert('Later', '## Intro\n\nText.'));
    const [later = ''] = idsOf(inserted);
    expect(await linksIn(space)).toEqual(['ok Later#intro <- A']);
    await contents.edit(space, write(later, '## Other\n\nText.'));
    expect(await linksIn(space)).toEqual(['broken Later#intro <- A']);
    await contents.edit(space, { operation: 'delete_page', page: later });
    expect(await linksIn(space)).toEqual(['broken later.md <- A']);
    await contents.edit(space, { operation: 'revert_page', page: later, revision: inserted.revision });
    expect(await linksIn(space)).toEqual(['ok Later#intro <- A']);
  });

  test('that is pinned keeps its target when it moves, and says so when it is deleted', async () => {
    const space = await contents.aSpace();
    const [t = ''] = idsOf(await contents.edit(space, insert('T'), insert('A', '[x](/pages/t)')));
    await contents.edit(space, { operation: 'update_page', page: t, slug: 'elsewhere' });
    expect(await linksIn(space)).toEqual(['ok T <- A']);
    await contents.edit(space, { operation: 'delete_page', page: t });
    expect(await linksIn(space)).toEqual(['broken /pages/t <- A']);
    await contents.edit(space, insert('New', '', { slug: 't' }));
    expect(await linksIn(space)).toEqual(['ok New <- A']);
  });

  test('to an anchor of an included content is broken when the content loses it', async () => {
    const space = await contents.aSpace();
    const edited = await contents.edit(space, {
      operation: 'insert_reusable_content',
      title: 'Part',
      document: { markdown: '## In part\n' },
      ref: 'part',
    });
    const content = edited.changes[0].reusableContent.id;
    await contents.edit(
      space,
      insert('T', `{% include "/reusable-content/${content}" %}`),
      insert('A', '[x](/pages/t#in-part)'),
    );
    expect(await linksIn(space)).toEqual(['ok Part <- T', 'ok T#in-part <- A']);
    await contents.edit(space, {
      operation: 'update_reusable_content',
      reusableContent: content,
      document: { markdown: '## Other\n' },
    });
    expect(await linksIn(space)).toEqual(['broken T#in-part <- A', 'ok Part <- T']);
  });
});

describe('a link to another space', () => {
  const linkTo = (space: string, page: string) => `[x](octavo:page/${page}?space=${idOf(space)})`;

  test('is broken when its target goes, and for callers who may not view it', async () => {
    const [from, to] = [await contents.aSpace(), await contents.aSpace()];
    const [page = ''] = idsOf(await contents.edit(to, insert('Target')));
    await contents.edit(from, insert('A', linkTo(to, page)));
    expect(await linksIn(from)).toEqual(['ok Target <- A']);
    const backlinks = await contents.get(`${to}/content/page/${page}/backlinks`);
    expect([backlinks.count, backlinks.items.map(nameOf)]).toEqual([1, ['A']]);
    await contents.edit(to, { operation: 'delete_page', page });
    const gone = await contents.get(`${from}/links`);
    expect(gone.stats).toEqual({ total: 1, broken: { total: 1 } });
    await contents.edit(from, write(gone.items[0].locationReferences[0].page.id, linkTo(to, 'unknown')));
    const unknown = await contents.get(`${from}/links`);
    const withoutTimes = (text: unknown) =>
      JSON.stringify(text).replaceAll(
        /"(?:updatedAt|documentId|revision|id|createdAt|app|parents)":("[^"]*"|\[[^\]]*\])/g,
        '',
      );
    expect(withoutTimes(unknown.items)).toBe(withoutTimes(gone.items));
  });
});

test('backlinks of a page and of a file', async () => {
  const space = await contents.aSpace();
  const [t = ''] = idsOf(
    await contents.edit(
      space,
      insert('T', '## H'),
      insert('A', '[x](/pages/t#h) [x](/pages/t)'),
      insert('B', '[x](t.md)'),
    ),
  );
  const backlinks = await contents.get(`${space}/content/page/${t}/backlinks`);
  expect([backlinks.count, backlinks.items.map(nameOf).toSorted()]).toEqual([2, ['A', 'B']]);
  const first = await contents.get(`${space}/content/page/${t}/backlinks?limit=1`);
  const second = await contents.get(
    `${space}/content/page/${t}/backlinks?limit=1&page=${encodeURIComponent(first.next.page)}`,
  );
  expect([first, second].flatMap(({ items }) => items.map(nameOf)).toSorted()).toEqual(['A', 'B']);
  expectError(await contents.call('GET', `${space}/content/page/unknown/backlinks`), 404);
  expectError(await contents.call('GET', `${space}/content/files/unknown/backlinks`), 404);
});

test('a duplicate has the links of the original', async () => {
  const space = await contents.aSpace();
  await contents.edit(space, insert('T'), insert('A', '[t](/pages/t) [m](m.md)'));
  const copy = await contents.call('POST', `${space}/duplicate`);
  expect(copy.status, copy.text).toBe(201);
  expect(await linksIn(`/v1/spaces/${copy.body.id}`)).toEqual(['broken m.md <- A', 'ok T <- A']);
});

test('a malformed web address is broken', async () => {
  const space = await contents.aSpace();
  await contents.edit(
    space,
    insert('A', '[a](http://) [b](<http://[::1>) [c](//) [d](https://example.com) [e](tel:1)'),
  );
  const { items } = await contents.get(`${space}/links?status=broken`);
  const urls = items.map(({ targetReference }: { targetReference: { url: string } }) => targetReference.url);
  expect(urls.toSorted()).toEqual(['//', 'http://', 'http://[::1']);
});
