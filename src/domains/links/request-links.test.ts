import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type Answer, type TestApp } from '../../../test/app.ts';
import { contentsOf, idsOf, insert, type Contents } from '../../../test/content.ts';
import { aSpaceForSteps, changeOf, editStep, type EditStep } from '../../../test/link-steps.ts';
import { describeLink, nameOf } from '../../../test/links.ts';
import { expectError } from '../../../test/refusal.ts';
import { aSide, type Side } from '../../../test/world.ts';

let app: TestApp;
let side: Side;
let contents: Contents;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'request-links');
  contents = contentsOf(app, side);
});

/** The path of a new change request. */
async function aRequest(space: string): Promise<string> {
  const created = await contents.call('POST', `${space}/change-requests`, {});
  expect(created.status, created.text).toBe(201);
  return `${space}/change-requests/${created.body.id}`;
}

/** Edits a change request. Returns what was applied. */
async function propose(request: string, ...changes: object[]): Promise<Answer['body']> {
  const answer = await contents.call('POST', `${request}/content?compat=false`, { changes });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

async function merge(request: string): Promise<void> {
  const merged = await contents.call('POST', `${request}/merge`);
  expect([merged.status, merged.body.result], merged.text).toEqual([200, 'merge']);
}

const describeAll = ({ items }: Answer['body']): string[] => items.map(describeLink).toSorted();

const linksIn = async (path: string, query = ''): Promise<string[]> =>
  describeAll(await contents.get(`${path}/links${query}`));

const causedBy = (request: string) => linksIn(request, '?brokenContext=change-request');

const statsOf = async (path: string) => (await contents.get(`${path}/links?limit=0`)).stats;

const write = (page: string, markdown: string) => ({
  operation: 'update_page',
  page,
  document: { markdown },
});
const remove = (page: string) => ({ operation: 'delete_page', page });

describe('the links of a change request', () => {
  test('show what a deleted page breaks, also on pages that the space got since', async () => {
    const space = await contents.aSpace();
    const [t = ''] = idsOf(
      await contents.edit(space, insert('T'), insert('A', '[t](/pages/t) [m](missing.md)'), insert('B')),
    );
    const request = await aRequest(space);
    await propose(request, remove(t));
    await contents.edit(space, insert('C', '[t](/pages/t)'));
    const listed = await contents.get(`${request}/links?brokenContext=change-request`);
    expect(describeAll(listed)).toEqual(['broken /pages/t <- A C']);
    expect([listed.count, listed.stats]).toEqual([1, { total: 2, broken: { total: 2, changeRequest: 1 } }]);
    expect(await linksIn(request, '?brokenContext=space')).toEqual(['broken missing.md <- A']);
    expect(await linksIn(request, '?status=broken')).toHaveLength(2);
    expect(await linksIn(request, '?status=ok')).toEqual([]);
    expect(await linksIn(space)).toEqual(['broken missing.md <- A', 'ok T <- A C']);
    expect(await statsOf(space)).toEqual({ total: 2, broken: { total: 1 } });
  });

  test('show entries in the request, and those that it does not have in the revision of the space', async () => {
    const space = await contents.aSpace();
    const [t = ''] = idsOf(await contents.edit(space, insert('T'), insert('A', '[t](/pages/t)')));
    const request = await aRequest(space);
    await propose(request, { operation: 'update_page', page: t, title: 'Title' });
    await contents.edit(space, insert('C', '[t](/pages/t)'));
    const { items } = await contents.get(`${request}/links`);
    expect(items).toHaveLength(1);
    const { targetReference: target, locationReferences: locations, locationCount } = items[0];
    expect([target.page.title, target.page.pages, target.versionContext.type, locationCount]).toEqual([
      'Title',
      [],
      'changeRequest',
      2,
    ]);
    expect(target.versionContext.changeRequest).toEqual(await contents.get(request));
    const contexts = locations.map((each: Answer['body']) => [each.page.title, each.versionContext.type]);
    expect(contexts.toSorted()).toEqual([
      ['A', 'changeRequest'],
      ['C', 'revision'],
    ]);
  });

  test('show what a removed heading, an included content and a removed file break', async () => {
    const space = await contents.aSpace();
    const edited = await contents.edit(
      space,
      insert('T', '## Heading\n\n## Other'),
      {
        operation: 'insert_reusable_content',
        title: 'Part',
        document: { markdown: '## In part' },
        ref: 'part',
      },
      {
        operation: 'insert_files',
        files: [{ name: 'a.txt', base64: Buffer.from('text').toString('base64') }],
      },
    );
    const [t, content, file] = [
      edited.changes[0].page.id,
      edited.changes[1].reusableContent.id,
      edited.insertedFiles[0].id,
    ];
    await contents.edit(
      space,
      insert('I', `{% include "/reusable-content/${content}" %}`),
      insert('A', `[h](/pages/t#heading) [o](/pages/t#other) [p](/pages/i#in-part) [f](/files/${file})`),
    );
    const request = await aRequest(space);
    await propose(request, write(t, '## Other'));
    expect(await causedBy(request)).toEqual(['broken T#heading <- A']);
    await propose(request, {
      operation: 'update_reusable_content',
      reusableContent: content,
      document: { markdown: '## Changed' },
    });
    expect(await causedBy(request)).toEqual(['broken I#in-part <- A', 'broken T#heading <- A']);
    await propose(request, { operation: 'delete_file', file });
    expect(await causedBy(request)).toHaveLength(3);
    await propose(request, write(t, '## Heading\n\n## Other'));
    expect(await causedBy(request)).toHaveLength(2);
    const before = await linksIn(request);
    await merge(request);
    expect(await linksIn(space)).toEqual(before);
  });

  test('follow a page that the request renames, and have no problems that were there before', async () => {
    const space = await contents.aSpace();
    const [, a = '', later = ''] = idsOf(
      await contents.edit(
        space,
        insert('Parent'),
        insert('A', '[l](later.md) [m](missing.md)'),
        insert('Later', '', { slug: 'later' }),
      ),
    );
    const request = await aRequest(space);
    await propose(
      request,
      { operation: 'update_page', page: later, slug: 'renamed' },
      { operation: 'move_page', page: a, into: (await contents.pages(space))[0].id },
    );
    expect(await causedBy(request)).toEqual([]);
    expect(await statsOf(request)).toEqual({ total: 2, broken: { total: 1, changeRequest: 0 } });
    expect(await linksIn(request, '?status=ok')).toEqual(['ok Later <- A']);
  });

  test('count a page once that comes to link to a target twice', async () => {
    const space = await contents.aSpace();
    const [t = ''] = idsOf(await contents.edit(space, insert('T'), insert('A', '[1](/pages/t) [2](new.md)')));
    const request = await aRequest(space);
    await propose(request, { operation: 'update_page', page: t, slug: 'new' });
    expect(await linksIn(request)).toEqual(['ok T <- A']);
  });

  test('show what is linked by its id, and a link of the space that follows a renamed page', async () => {
    const space = await contents.aSpace();
    const [t = ''] = idsOf(await contents.edit(space, insert('T')));
    await contents.edit(space, insert('A', `[t](octavo:page/${t}) [l](later.md)`));
    const [later = ''] = idsOf(await contents.edit(space, insert('Later', '', { slug: 'later' })));
    const request = await aRequest(space);
    await propose(request, remove(t));
    expect(await causedBy(request)).toEqual([`broken octavo:page/${t} <- A`]);
    await propose(request, { operation: 'update_page', page: later, slug: 'renamed' });
    await contents.edit(space, insert('B', '[l](later.md)', { into: later }), insert('C', '[l](later.md)'));
    expect(await causedBy(request)).toHaveLength(1);
    const before = await linksIn(request);
    await merge(request);
    expect(await linksIn(space)).toEqual(before);
  });

  test('count what the request adds, repairs and removes', async () => {
    const space = await contents.aSpace();
    const [a = ''] = idsOf(
      await contents.edit(space, insert('A', '[x](x.md) [y](y.md)'), insert('B', '[x](x.md)')),
    );
    const request = await aRequest(space);
    expect(await statsOf(request)).toEqual({ total: 2, broken: { total: 2, changeRequest: 0 } });
    await propose(request, insert('X', '', { slug: 'x' }));
    expect(await linksIn(request)).toEqual(['broken y.md <- A', 'ok X <- A B']);
    expect(await statsOf(request)).toEqual({ total: 2, broken: { total: 1, changeRequest: 0 } });
    await propose(request, insert('C', '[y](y.md) [z](z.md) [u](https://example.org/)'));
    expect(await causedBy(request)).toEqual(['broken y.md <- A C', 'broken z.md <- C']);
    await propose(request, remove(a));
    expect(await linksIn(request)).toEqual([
      'broken y.md <- C',
      'broken z.md <- C',
      'ok X <- B',
      'ok https://example.org/ <- C',
    ]);
    expect(await statsOf(request)).toEqual({ total: 4, broken: { total: 2, changeRequest: 2 } });
    const before = await linksIn(request);
    await merge(request);
    expect(await linksIn(space)).toEqual(before);
    expect(await linksIn(request)).toEqual(before);
    expect(await statsOf(request)).toEqual({ total: 4, broken: { total: 2, changeRequest: 0 } });
  });

  test('include links to other spaces, as far as the caller may view them', async () => {
    const [from, to] = [await contents.aSpace(), await contents.aSpace()];
    const id = to.split('/').at(-1);
    const [page = ''] = idsOf(await contents.edit(to, insert('Target')));
    await contents.edit(from, insert('A'));
    const request = await aRequest(from);
    await propose(
      request,
      insert('B', `[x](octavo:page/${page}?space=${id}) [y](octavo:page/unknown?space=${id})`),
    );
    expect(await linksIn(request)).toEqual(['broken - <- B', 'ok Target <- B']);
    expect(await statsOf(request)).toEqual({ total: 2, broken: { total: 1, changeRequest: 1 } });
    await contents.edit(to, remove(page));
    expect(await statsOf(request)).toEqual({ total: 2, broken: { total: 2, changeRequest: 2 } });
  });

  test('are paged: each target once, with the same counts', async () => {
    const space = await contents.aSpace();
    const linksTo = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => `[x](missing-${from + index}.md)`).join(' ');
    const [a = ''] = idsOf(
      await contents.edit(space, insert('A', linksTo(0, 30)), insert('B', linksTo(5, 20))),
    );
    const request = await aRequest(space);
    await propose(request, write(a, linksTo(10, 40)));
    const seen: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page: Answer['body'] = await contents.get(
        `${request}/links?limit=7${cursor ? `&page=${encodeURIComponent(cursor)}` : ''}`,
      );
      expect([page.count, page.stats]).toEqual([35, { total: 35, broken: { total: 35, changeRequest: 10 } }]);
      seen.push(...page.items.map((item: Answer['body']) => item.href));
      cursor = page.next?.page;
    }
    expect([seen.length, new Set(seen).size]).toEqual([35, 35]);
  });

  test('belong to one revision while the space is edited', async () => {
    const space = await contents.aSpace();
    const [t = ''] = idsOf(await contents.edit(space, insert('T'), insert('A', '[t](/pages/t)')));
    const request = await aRequest(space);
    await propose(request, remove(t));
    const numbers = Array.from({ length: 10 }, (_, index) => index);
    const edits = numbers.map((n) => contents.edit(space, insert(`P${n}`, `[t](/pages/t) [m](m-${n}.md)`)));
    for (const { count, items, stats } of await Promise.all(
      numbers.map(() => contents.get(`${request}/links`)),
    )) {
      expect([items.length, stats.total, stats.broken]).toEqual([
        count,
        count,
        { total: count, changeRequest: 1 },
      ]);
      // Every page with its own missing target links to the deleted page, too.
      const deleted = items.find((item: Answer['body']) => item.href === '/pages/t');
      expect(deleted.locationCount).toBe(count);
    }
    await Promise.all(edits);
  });

  test('of an empty space are those of the request', async () => {
    const space = await contents.aSpace();
    const request = await aRequest(space);
    expect(await contents.get(`${request}/links`)).toEqual({
      count: 0,
      items: [],
      stats: { total: 0, broken: { total: 0, changeRequest: 0 } },
    });
    await propose(request, insert('A', '[m](m.md)'));
    expect(await causedBy(request)).toEqual(['broken m.md <- A']);
  });

  test('refuse a context with a status that is not broken', async () => {
    const request = await aRequest(await contents.aSpace());
    for (const status of ['ok', 'in-app'])
      expectError(await contents.call('GET', `${request}/links?brokenContext=space&status=${status}`), 400);
    expectError(await contents.call('GET', `${request}/links?brokenContext=both`), 400);
    expect(await linksIn(request, '?brokenContext=space&status=broken')).toEqual([]);
  });
});

describe('in the content of a change request', () => {
  test('a page has its own links', async () => {
    const space = await contents.aSpace();
    const [t = '', a = ''] = idsOf(
      await contents.edit(space, insert('T', '## H'), insert('A', '[t](/pages/t#h) [m](m.md)')),
    );
    const request = await aRequest(space);
    const page = `${request}/content/page/${a}`;
    expect(await linksIn(page)).toEqual(['broken m.md <- A', 'ok T#h <- A']);
    await propose(request, write(t, '## Other'), insert('M', '[a](/pages/a)', { slug: 'm' }));
    expect(await linksIn(page)).toEqual(['broken T#h <- A', 'ok M <- A']);
    const listed = await contents.get(`${page}/links?status=broken`);
    expect([listed.count, listed.stats]).toEqual([1, { total: 2, broken: { total: 1 } }]);
    expect(await linksIn(`${space}/content/page/${a}`)).toEqual(['broken m.md <- A', 'ok T#h <- A']);
    await contents.edit(space, remove(t));
    expect(await linksIn(page)).toEqual(['broken T#h <- A', 'ok M <- A']);
    expectError(await contents.call('GET', `${request}/content/page/unknown/links`), 404);
  });

  test('a page and a file have the backlinks of the request, and those of other spaces', async () => {
    const [space, other] = [await contents.aSpace(), await contents.aSpace()];
    const edited = await contents.edit(space, insert('T'), insert('A', '[t](/pages/t)'), {
      operation: 'insert_files',
      files: [{ name: 'a.txt', base64: Buffer.from('text').toString('base64') }],
    });
    const [t, a, file] = [edited.changes[0].page.id, edited.changes[1].page.id, edited.insertedFiles[0].id];
    await contents.edit(other, insert('O', `[t](octavo:page/${t}?space=${space.split('/').at(-1)})`));
    const request = await aRequest(space);
    await propose(request, write(a, `[f](/files/${file})`), insert('B', '[t](/pages/t)'));
    const backlinks = async (path: string) => {
      const { count, items } = await contents.get(`${path}/backlinks`);
      expect(count).toBe(items.length);
      return items.map(nameOf);
    };
    expect(await backlinks(`${request}/content/page/${t}`)).toEqual(['B', 'O']);
    expect(await backlinks(`${request}/content/files/${file}`)).toEqual(['A']);
    expect(await backlinks(`${space}/content/page/${t}`)).toEqual(['A', 'O']);
    expect(await backlinks(`${space}/content/files/${file}`)).toEqual([]);
    const { items } = await contents.get(`${request}/content/page/${t}/backlinks`);
    expect(items.map((item: Answer['body']) => item.versionContext.type)).toEqual([
      'changeRequest',
      'revision',
    ]);
    await propose(request, remove(t));
    expectError(await contents.call('GET', `${request}/content/page/${t}/backlinks`), 404);
    expectError(await contents.call('GET', `${request}/content/files/unknown/backlinks`), 404);
  });
});

test('the list of a request equals that of the space after the merge', { timeout: 240_000 }, async () => {
  const steps = (most: number) => fc.array(editStep, { maxLength: most });
  await fc.assert(
    fc.asyncProperty(steps(8), steps(3), steps(6), async (first, meanwhile, proposed) => {
      const { space, content } = await aSpaceForSteps(contents);
      const pages: string[] = [];
      await applySteps(space, first, pages, content);
      const request = await aRequest(space);
      const ofRequest = [...pages];
      await applySteps(request, proposed, ofRequest, content);
      await applySteps(space, meanwhile, pages, content);
      const listed = await contents.get(`${request}/links?limit=1000`);
      await expectContexts(request, listed);
      const ownLists = await listsOfPages(request, ofRequest);
      const merged = await contents.call('POST', `${request}/merge`);
      // With conflicts nothing is merged; without a change there is nothing to merge (409).
      if (merged.body.result === 'conflicts') return;
      const after = await contents.get(`${space}/links?limit=1000`);
      expect(describeAll(listed)).toEqual(describeAll(after));
      expect(listed.stats).toMatchObject({
        total: after.stats.total,
        broken: { total: after.stats.broken.total },
      });
      if (meanwhile.length === 0) expect(ownLists).toEqual(await listsOfPages(space, ofRequest));
    }),
    { numRuns: Number(process.env['LINK_RUNS'] ?? 25) },
  );
});

/** Applies steps, each as a batch, and adds the pages that they insert. Invalid steps change nothing. */
async function applySteps(
  path: string,
  steps: readonly EditStep[],
  pages: string[],
  content: string,
): Promise<void> {
  const query = path.includes('change-requests') ? '?compat=false' : '';
  for (const step of steps) {
    const changes = [changeOf(step, pages, content)];
    const answer = await contents.call('POST', `${path}/content${query}`, { changes });
    if (answer.status === 200 && step.kind === 'insert') pages.push(...idsOf(answer.body));
  }
}

/** The contexts divide the broken links. */
async function expectContexts(request: string, listed: Answer['body']): Promise<void> {
  const [ofRequest, ofSpace] = await Promise.all(
    ['change-request', 'space'].map((context) =>
      contents.get(`${request}/links?limit=1000&brokenContext=${context}`),
    ),
  );
  const broken = describeAll(listed).filter((text) => text.startsWith('broken'));
  expect([...describeAll(ofRequest), ...describeAll(ofSpace)].toSorted()).toEqual(broken);
  expect(listed.stats.broken).toEqual({ total: broken.length, changeRequest: ofRequest.count });
  expect([ofRequest.count, ofSpace.count]).toEqual([ofRequest.items.length, ofSpace.items.length]);
}

/** Links and backlinks of each page; undefined where the page does not exist. */
async function listsOfPages(path: string, pages: readonly string[]): Promise<unknown[]> {
  const lists: unknown[] = [];
  for (const id of pages) {
    const page = `${path}/content/page/${id}`;
    const links = await contents.call('GET', `${page}/links`);
    const backlinks = await contents.call('GET', `${page}/backlinks`);
    expect(links.status).toBe(backlinks.status);
    lists.push(
      links.status === 200 && [describeAll(links.body), backlinks.body.items.map(nameOf).toSorted()],
    );
  }
  return lists;
}
