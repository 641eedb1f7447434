import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type Answer, type TestApp } from '../../../test/app.ts';
import { contentsOf, idsOf, insert, type Contents } from '../../../test/content.ts';
import { expectError } from '../../../test/refusal.ts';
import { aSide, type Side } from '../../../test/world.ts';

let app: TestApp;
let side: Side;
let contents: Contents;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
  contents = contentsOf(app, side);
});

/** The path of a new change request. */
async function aRequest(space: string, subject = 'Better'): Promise<string> {
  const { status, body, text } = await contents.call('POST', `${space}/change-requests`, { subject });
  expect(status, text).toBe(201);
  return `${space}/change-requests/${body.id}`;
}

const merge = (path: string) => contents.call('POST', `${path}/merge`);
const update = (path: string) => contents.call('POST', `${path}/update`);

describe('a conflict', () => {
  test('found by a second update stays one, with the current value of the space', async () => {
    const space = await contents.aSpace();
    const [page = '', , third = ''] = idsOf(
      await contents.edit(space, insert('Page', 'Text'), insert('B'), insert('C')),
    );
    const titled = (title: string) => ({ operation: 'update_page', page, title });
    const path = await aRequest(space);
    await contents.call('POST', `${path}/content`, { changes: [titled('Proposed')] });
    await contents.edit(space, titled('First'));
    await update(path);
    const [first] = (await contents.get(`${path}/conflicts`)).items;
    await contents.edit(space, titled('Second'));
    expect((await update(path)).body.result).toBe('conflicts');
    const { items, count } = await contents.get(`${path}/conflicts`);
    expect(count).toBe(1);
    expect(items).toMatchObject([
      { id: first.id, ancestor: 'Page', primary: 'Second', proposed: 'Proposed' },
    ]);
    expect((await contents.get(`${path}/conflicts?limit=0`)).items).toEqual([]);
    expectError(await contents.call('GET', `${path}/conflicts?limit=5000`), 400);

    await contents.call('POST', `${path}/conflicts/${first.id}`, { use: 'primary' });
    expect((await contents.get(`${path}/content/page/${page}`)).title).toBe('Second');
    expect((await merge(path)).body.result).toBe('merge');
    expect((await contents.page(space, third)).title).toBe('C');
  });

  test('is resolved when the space takes the proposed value', async () => {
    const space = await contents.aSpace();
    const [page] = idsOf(await contents.edit(space, insert('Page')));
    const titled = (title: string) => ({ operation: 'update_page', page, title });
    const path = await aRequest(space);
    await contents.call('POST', `${path}/content`, { changes: [titled('Proposed')] });
    await contents.edit(space, titled('First'));
    await update(path);
    await contents.edit(space, titled('Proposed'));
    expect((await update(path)).body.result).toBe('update');
    expect((await contents.get(`${path}/conflicts`)).items).toEqual([]);
  });

  test('cannot be resolved to an invalid tree', async () => {
    const space = await contents.aSpace();
    const [a, b] = idsOf(await contents.edit(space, insert('A'), insert('B')));
    const path = await aRequest(space);
    const move = (page: string | undefined, into: string | undefined) => ({
      operation: 'move_page',
      page,
      into,
    });
    await contents.call('POST', `${path}/content`, { changes: [move(a, b)] });
    await contents.edit(space, move(b, a));
    await update(path);
    const [open] = (await contents.get(`${path}/conflicts`)).items;
    expectError(
      await contents.call('POST', `${path}/conflicts/${open.id}`, { use: 'proposed' }),
      409,
      /no longer valid/,
    );
    expect((await contents.get(`${path}/conflicts`)).count).toBe(1);
    expect((await merge(path)).body.result).toBe('conflicts');
    const resolved = await contents.call('POST', `${path}/conflicts/${open.id}`, { use: 'primary' });
    expect(resolved.status, resolved.text).toBe(200);
  });
});

describe('a conflict about a deletion', () => {
  /** Pages A, D (with D1) and E (with E1), changed by a request (`theirs`) and concurrently by its space (`ours`). */
  async function diverged(ours: (ids: string[]) => object[], theirs: (ids: string[]) => object[]) {
    const space = await contents.aSpace();
    const ids = idsOf(
      await contents.edit(
        space,
        insert('A'),
        insert('D', 'Text.', { ref: 'd' }),
        insert('E', 'Text.', { ref: 'e' }),
        insert('E1', 'Text.', { into: 'e' }),
        insert('D1', 'Text.', { into: 'd' }),
      ),
    );
    const path = await aRequest(space);
    const { status, text } = await contents.call('POST', `${path}/content`, { changes: theirs(ids) });
    expect(status, text).toBe(200);
    await contents.edit(space, ...ours(ids));
    expect((await update(path)).body.result).toBe('conflicts');
    const { items } = await contents.get(`${path}/conflicts`);
    const resolve = (page: string | undefined, use: string) =>
      contents.call(
        'POST',
        `${path}/conflicts/${items.find((each: Answer['body']) => each.page === page).id}`,
        {
          use,
        },
      );
    return { space, path, ids, items, resolve };
  }

  test('does not delete a page that has gained subpages', async () => {
    const { path, ids, resolve, items } = await diverged(
      ([, d]) => [{ operation: 'delete_page', page: d }],
      ([, d, e]) => [{ operation: 'move_page', page: e, into: d }],
    );
    const [, d, e, e1] = ids;
    expect(items).toMatchObject([{ kind: 'delete', page: d }]);
    const { updatedAt } = items[0].proposed;
    expect(new Date(updatedAt).toISOString()).toBe(updatedAt);
    expectError(await resolve(d, 'primary'), 409, /has subpages/);
    await contents.call('POST', `${path}/content`, {
      changes: [{ operation: 'move_page', page: e, into: null }],
    });
    expect((await resolve(d, 'primary')).status).toBe(200);
    expect((await merge(path)).body.result).toBe('merge');
    const pagesJson = JSON.stringify(await contents.get(`${path}/content/pages`));
    for (const id of [e, e1]) expect(pagesJson).toContain(`"${id}"`);
    expect(pagesJson).not.toContain(`"${d}"`);
  });

  test('does not delete subpages with an open conflict, or kept by a resolution', async () => {
    const { space, path, ids, resolve, items } = await diverged(
      ([, , , , d1]) => [{ operation: 'update_page', page: d1, document: { markdown: 'Edited.' } }],
      ([, d]) => [{ operation: 'delete_page', page: d }],
    );
    const [, d, , , d1] = ids;
    expect(items.map(({ page }: Answer['body']) => page).toSorted()).toEqual([d, d1].toSorted());
    expectError(await resolve(d, 'proposed'), 409, /has subpages/);
    expect((await resolve(d1, 'primary')).status).toBe(200);
    expectError(await resolve(d, 'proposed'), 409, /has subpages/);
    expect((await resolve(d, 'primary')).status).toBe(200);
    expect((await merge(path)).body.result).toBe('merge');
    expect((await contents.page(space, d1 ?? '')).markdown).toBe('Edited.');
  });
});

describe('a conflict about the last variable', () => {
  const diverged = async () => {
    const space = await contents.aSpace();
    const set = (version: string | null) => ({ operation: 'set_variables', variables: { version } });
    await contents.edit(space, set('1'));
    const path = await aRequest(space);
    await contents.call('POST', `${path}/content`, { changes: [set(null)] });
    await contents.edit(space, set('2'));
    expect((await update(path)).body.result).toBe('conflicts');
    const [open] = (await contents.get(`${path}/conflicts`)).items;
    expect(open).toMatchObject({ ancestor: '1', primary: '2' });
    return { space, path, open };
  };

  test('is resolved to the value of the space', async () => {
    const { path, open } = await diverged();
    await contents.call('POST', `${path}/conflicts/${open.id}`, { use: 'primary' });
    expect((await contents.get(`${path}/content`)).variables).toEqual({ version: '2' });
  });

  test('remains open until it is resolved', async () => {
    const { space, path } = await diverged();
    await contents.call('POST', `${path}/content`, { changes: [insert('Beside')] });
    expect((await contents.get(`${path}/conflicts`)).count).toBe(1);
    await contents.edit(space, insert('There'));
    expect((await update(path)).body.result).toBe('conflicts');
    expect((await update(path)).body.result).toBe('conflicts');
    expect((await merge(path)).body.result).toBe('conflicts');
  });
});

describe('a conflict about a block', () => {
  const aBlock = async () => {
    const space = await contents.aSpace();
    const [page = ''] = idsOf(await contents.edit(space, insert('Page', 'First.\n\nAlpha beta.\n')));
    const write = (text: string) => ({
      operation: 'update_page',
      page,
      document: { markdown: `First.\n\n${text}` },
    });
    const path = await aRequest(space);
    await contents.call('POST', `${path}/content`, { changes: [write('Proposed words.\n')] });
    await contents.edit(space, write('Primary sentence.\n'));
    expect((await update(path)).body.result).toBe('conflicts');
    const shown = async () => (await contents.get(`${path}/content/page/${page}`)).markdown;
    return { space, path, write, shown };
  };

  test.each([['Proposed words.\n'], ['Alpha beta.\n']])('is resolved when the space has %j', async (text) => {
    const { space, path, write, shown } = await aBlock();
    await contents.edit(space, write(text));
    expect((await update(path)).body.result).toBe('update');
    expect((await contents.get(`${path}/conflicts`)).count).toBe(0);
    expect(await shown()).toBe('First.\n\nProposed words.\n');
  });

  test('keeps the block of the space when the request has none to replace it', async () => {
    const space = await contents.aSpace();
    const [page = ''] = idsOf(await contents.edit(space, insert('Page', 'First.\n\nAlpha beta.\n')));
    const write = (markdown: string) => ({ operation: 'update_page', page, document: { markdown } });
    const path = await aRequest(space);
    await contents.call('POST', `${path}/content`, { changes: [write('First.\n')] });
    await contents.edit(space, write('First.\n\nAlpha gamma.\n'));
    expect((await update(path)).body.result).toBe('conflicts');
    await contents.edit(space, write('First.\n\nAlpha beta.\n'));
    expect((await update(path)).body.result).toBe('conflicts');
    const shown = async () => (await contents.get(`${path}/content/page/${page}`)).markdown;
    expect(await shown()).toBe('First.\n\nAlpha beta.\n');
    const [open] = (await contents.get(`${path}/conflicts`)).items;
    await contents.call('POST', `${path}/conflicts/${open.id}`, { use: 'proposed' });
    expect(await shown()).toBe('First.\n');
  });

  test('reports a block that each side moved to another position', async () => {
    const space = await contents.aSpace();
    const text = (order: string) => `${order.split('').join(' paragraph\n\n')} paragraph\n`;
    const [page = ''] = idsOf(await contents.edit(space, insert('Page', text('ABCDE'))));
    const write = (order: string) => ({
      operation: 'update_page',
      page,
      document: { markdown: text(order) },
    });
    const requests = { primary: await aRequest(space), proposed: await aRequest(space) };
    for (const path of Object.values(requests))
      await contents.call('POST', `${path}/content`, { changes: [write('EABCD')] });
    await contents.edit(space, write('ABECD'));
    const shown = async (path: string) => (await contents.get(`${path}/content/page/${page}`)).markdown;
    for (const path of Object.values(requests)) {
      expect((await merge(path)).body).toMatchObject({ result: 'conflicts' });
      expect((await update(path)).body).toMatchObject({ result: 'conflicts' });
      expect(await shown(path)).toBe(text('EABECD'));
    }
    // Neither another update nor an edit of another page resolves it.
    await contents.edit(space, insert('Other'));
    for (const [use, path] of Object.entries(requests)) {
      expect((await update(path)).body).toMatchObject({ result: 'conflicts' });
      const { items } = await contents.get(`${path}/conflicts`);
      expect(items).toMatchObject([
        { kind: 'block', moved: true, primary: 'E paragraph', proposed: 'E paragraph' },
      ]);
      await contents.call('POST', `${path}/conflicts/${items[0].id}`, { use });
    }
    expect(await shown(requests.primary)).toBe(text('ABECD'));
    expect((await merge(requests.primary)).body.result).toBe('merge');
    expect(await shown(requests.proposed)).toBe(text('EABCD'));
    expect((await merge(requests.proposed)).body).toMatchObject({ result: 'merge' });
    expect((await contents.page(space, page, '?format=markdown')).markdown).toBe(text('EABCD'));
  });

  test('keeps one copy of a block that each side moved to another position', async () => {
    const space = await contents.aSpace();
    const text = (order: string) => `${order.split('').join(' paragraph\n\n')} paragraph\n`;
    const [page = ''] = idsOf(await contents.edit(space, insert('Page', text('ABCDE'))));
    const write = (order: string) => ({
      operation: 'update_page',
      page,
      document: { markdown: text(order) },
    });
    const path = await aRequest(space);
    await contents.call('POST', `${path}/content`, { changes: [write('BCADE')] });
    await contents.edit(space, write('BCDEA'));
    await update(path);
    await contents.edit(space, insert('Other'));
    await update(path);
    expect((await contents.get(`${path}/content/page/${page}`)).markdown).toContain('A paragraph');
  });

  test('has no version of the space when the space deleted the block', async () => {
    const { space, path, write } = await aBlock();
    await contents.edit(space, write(''));
    await update(path);
    const [open] = (await contents.get(`${path}/conflicts`)).items;
    expect(open.primary).toBeUndefined();
    expect(open.proposed.trim()).toBe('Proposed words.');
  });
});

describe('many conflicts about one page', () => {
  const numbers = Array.from({ length: 12 }, (_, index) => index);
  /** Every second paragraph is identical, so that block keys need a counter. */
  const body = (words: (index: number) => string) =>
    numbers.map((index) => `${words(index)}\n\nThe same.\n`).join('\n');

  const aPage = async () => {
    const space = await contents.aSpace();
    const [page = ''] = idsOf(
      await contents.edit(
        space,
        insert(
          'Page',
          body((at) => `Old ${at}`),
        ),
      ),
    );
    const write = (words: (index: number) => string) => ({
      operation: 'update_page',
      page,
      document: { markdown: body(words) },
    });
    const path = await aRequest(space);
    await contents.call('POST', `${path}/content`, { changes: [write((at) => `Proposed words ${at}`)] });
    await contents.edit(
      space,
      write((at) => `What the space says ${at}`),
    );
    expect((await update(path)).body.result).toBe('conflicts');
    const open = async () => (await contents.get(`${path}/conflicts`)).items;
    const shown = async () => (await contents.get(`${path}/content/page/${page}`)).markdown;
    return { space, path, write, open, shown };
  };

  test('are resolved one by one', async () => {
    const { path, open, shown } = await aPage();
    const all = await open();
    expect(all).toHaveLength(numbers.length);
    for (const [index, { id }] of all.entries()) {
      const use = index % 2 === 0 ? 'primary' : 'proposed';
      const { status, text } = await contents.call('POST', `${path}/conflicts/${id}`, { use });
      expect(status, text).toBe(200);
      expect(await open()).toHaveLength(numbers.length - index - 1);
    }
    expect(await shown()).toBe(
      body((at) => (at % 2 === 0 ? `What the space says ${at}` : `Proposed words ${at}`)),
    );
  });

  test('are resolved together when the space restores its blocks; others remain', async () => {
    const { space, path, write, open, shown } = await aPage();
    await contents.edit(
      space,
      write((at) => (at === 3 ? 'What the space says 3' : `Old ${at}`)),
    );
    expect((await update(path)).body.result).toBe('conflicts');
    const left = await open();
    expect(left).toMatchObject([{ primary: 'What the space says 3', proposed: 'Proposed words 3' }]);
    await contents.call('POST', `${path}/conflicts/${left[0].id}`, { use: 'proposed' });
    expect(await shown()).toBe(body((at) => `Proposed words ${at}`));
  });
});

describe('a conflict about an entire body', () => {
  const aBody = async () => {
    const space = await contents.aSpace();
    const [page = ''] = idsOf(await contents.edit(space, insert('Page', 'one\n\ntwo\n\nthree\n')));
    const write = (markdown: string) => ({ operation: 'update_page', page, document: { markdown } });
    const path = await aRequest(space);
    await contents.call('POST', `${path}/content`, { changes: [write('one\n\ntwo\n\nthree\n\nfour\n')] });
    await contents.edit(space, write('```\none\n\ntwo\n\nthree\n'));
    expect((await update(path)).body.result).toBe('conflicts');
    const [open] = (await contents.get(`${path}/conflicts`)).items;
    expect(open.block).toEqual({ primary: [], proposed: [] });
    const shown = async () => (await contents.get(`${path}/content/page/${page}`)).markdown;
    return { space, path, page, write, shown, open };
  };

  test('remains one, with the current body of the space', async () => {
    const { space, path, page, write, open, shown } = await aBody();
    await contents.edit(space, write('```\none\n\ntwo\n\nPRIMARY NEW\n'));
    expect((await update(path)).body.result).toBe('conflicts');
    const { items } = await contents.get(`${path}/conflicts`);
    expect(items).toMatchObject([
      {
        id: open.id,
        ancestor: 'one\n\ntwo\n\nthree\n',
        primary: '```\none\n\ntwo\n\nPRIMARY NEW\n',
        proposed: 'one\n\ntwo\n\nthree\n\nfour\n',
      },
    ]);
    expect(await shown()).toBe('```\none\n\ntwo\n\nPRIMARY NEW\n\none\n\ntwo\n\nthree\n\nfour\n');
    await contents.call('POST', `${path}/conflicts/${open.id}`, { use: 'primary' });
    expect((await merge(path)).body.result).toBe('merge');
    expect((await contents.page(space, page)).markdown).toContain('PRIMARY NEW');
  });

  test('does not restore an intermediate version of the space', async () => {
    const { space, path, page, write } = await aBody();
    await contents.edit(space, write('```\none\n\ntwo\n\nthree\n```\n\nPRIMARY NEW\n'));
    await update(path);
    for (const { id } of (await contents.get(`${path}/conflicts`)).items) {
      await contents.call('POST', `${path}/conflicts/${id}`, { use: 'primary' });
    }
    await merge(path);
    expect((await contents.page(space, page)).markdown).toContain('PRIMARY NEW');
  });

  test('is resolved when the body of the space can be split into blocks again', async () => {
    const { space, path, page, write } = await aBody();
    await contents.edit(space, write('```\n```\n\none\n\ntwo\n\nPRIMARY NEW\n\nthree\n'));
    expect((await update(path)).body.result).toBe('update');
    expect((await contents.get(`${path}/conflicts`)).count).toBe(0);
    expect((await merge(path)).body.result).toBe('merge');
    expect((await contents.page(space, page)).markdown).toBe(
      '```\n```\n\none\n\ntwo\n\nPRIMARY NEW\n\nthree\n\nfour\n',
    );
  });
});
