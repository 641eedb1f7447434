import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startApp, type Answer, type TestApp } from '../../../test/app.ts';
import { contentsOf, idsOf, insert, type Contents } from '../../../test/content.ts';
import { countLockWaits } from '../../../test/lock-waits.ts';
import { detailsOf, expectError } from '../../../test/refusal.ts';
import { aSide, type Side } from '../../../test/world.ts';

let app: TestApp;
let side: Side;
let contents: Contents;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
  contents = contentsOf(app, side);
});

const TEXT = 'First paragraph.\n\nSecond paragraph.\n\n- one\n- two\n';

/** The subject of comments: the content of a space or of a change request. */
interface Scene {
  readonly space: string;
  readonly place: string;
  readonly pageId: string;
  edit(...changes: object[]): Promise<void>;
  page(): Promise<Answer['body']>;
  /** The keys of the blocks of the page, in order. */
  keys(): Promise<string[]>;
  comment(body: object): Promise<Answer>;
  read(id: string): Promise<Answer['body']>;
}

async function aScene(kind: string, text = TEXT): Promise<Scene> {
  const space = await contents.aSpace();
  const inserted = await contents.edit(space, insert('Install', text, { emoji: '1f680' }));
  const [pageId = ''] = idsOf(inserted);
  const isSpace = kind === 'on a space';
  const request = isSpace ? undefined : (await contents.call('POST', `${space}/change-requests`, {})).body.id;
  const place = isSpace ? space : `${space}/change-requests/${request}`;
  const page = async () => contents.get(`${place}/content/page/${pageId}?format=document`);
  return {
    space,
    place,
    pageId,
    page,
    async edit(...changes) {
      const { status, text: responseText } = await contents.call('POST', `${place}/content`, { changes });
      expect(status, responseText).toBe(200);
      await app.tellReaders();
    },
    keys: async () => (await page()).document.nodes.map(({ key }: { key: string }) => key),
    comment: (body) => contents.call('POST', `${place}/comments`, { body: { markdown: 'Why?' }, ...body }),
    read: (id) => contents.get(`${place}/comments/${id}`),
  };
}

const update = (page: string, markdown: string, more: object = {}) => ({
  operation: 'update_page',
  page,
  document: { markdown },
  ...more,
});

describe.each([['on a space'], ['in a change request']])('%s', (kind) => {
  test('a comment on a page returns the current title and path of the page', async () => {
    const scene = await aScene(kind);
    const { status, body, text } = await scene.comment({ page: scene.pageId });
    expect(status, text).toBe(200);
    const revision = (await contents.get(`${scene.place}/content`)).id;
    const { createdAt, updatedAt } = await scene.page();
    expect(body.target).toMatchObject({
      space: scene.space.split('/').at(-1),
      revision,
      page: {
        id: scene.pageId,
        title: 'Install',
        path: 'install',
        emoji: '1f680',
        createdAt,
        updatedAt,
        outdated: false,
      },
    });
    expect(await scene.read(body.id)).toEqual(body);

    await scene.edit({ operation: 'update_page', page: scene.pageId, title: 'Set up', slug: 'set-up' });
    const { target } = await scene.read(body.id);
    expect(target).toMatchObject({ revision, page: { title: 'Set up', path: 'set-up', outdated: false } });
    const { items } = await contents.get(`${scene.place}/comments`);
    expect(items[0].target).toEqual(target);
  });

  test('a comment on a deleted page is outdated until the page is restored', async () => {
    const scene = await aScene(kind);
    const [, second] = await scene.keys();
    const onPage = (await scene.comment({ page: scene.pageId })).body;
    const onBlock = (await scene.comment({ page: scene.pageId, node: second })).body;
    const before = (await contents.get(`${scene.place}/content`)).id;
    await scene.edit({ operation: 'delete_page', page: scene.pageId });
    for (const { id } of [onPage, onBlock])
      expect((await scene.read(id)).target.page).toMatchObject({
        title: 'Install',
        path: 'install',
        outdated: true,
      });
    expect((await contents.get(`${scene.place}/comments?targetPage=${scene.pageId}`)).count).toBe(2);
    if (kind === 'on a space') {
      const { status } = await contents.call('POST', `${scene.space}/revisions/${before}/restore`);
      expect(status).toBe(200);
      await app.tellReaders();
    } else await scene.edit({ operation: 'revert_page', page: scene.pageId, revision: before });
    for (const { id, target } of [onPage, onBlock]) {
      const now = (await scene.read(id)).target;
      expect(now.page.outdated).toBe(false);
      expect(now.node).toEqual(target.node);
    }
  });

  test('a comment on a block follows the block and is outdated when the block is deleted', async () => {
    const scene = await aScene(kind);
    const [, second] = await scene.keys();
    const { status, body, text } = await scene.comment({ page: scene.pageId, node: second });
    expect(status, text).toBe(200);
    expect(body.target.node).toEqual({ id: second, preview: 'Second paragraph.' });
    const { headers } = await contents.call('GET', `${scene.place}/comments/${body.id}`);

    // A block is inserted before it, and its text is edited slightly.
    await scene.edit(
      update(
        scene.pageId,
        `Before all.\n\n${TEXT.replace('Second paragraph.', 'Second paragraph, better.')}`,
      ),
    );
    const moved = (await scene.read(body.id)).target;
    expect(moved.page.outdated).toBe(false);
    expect(moved.node).toEqual({ id: (await scene.keys())[2], preview: 'Second paragraph, better.' });
    expect(moved.revision).toBe(body.target.revision);

    await scene.edit(
      update(scene.pageId, '# Other\n\nNothing of that kind is here any more, not even alike.\n'),
    );
    const gone = (await scene.read(body.id)).target;
    expect(gone.page.outdated).toBe(true);
    expect(gone.node).toEqual(moved.node);

    await scene.edit(update(scene.pageId, 'Second paragraph, better.\n'));
    const back = (await scene.read(body.id)).target;
    expect(back.page.outdated).toBe(false);
    expect(back.node.preview).toBe('Second paragraph, better.');
    // Following the block does not change the ETag of the comment.
    const put = await contents.call(
      'PUT',
      `${scene.place}/comments/${body.id}`,
      { resolved: true },
      {
        'if-match': String(headers['etag']),
      },
    );
    expect(put.status).toBe(200);
  });

  test('comments on other pages, and on the entire page, do not change', async () => {
    const scene = await aScene(kind);
    const onPage = (await scene.comment({ page: scene.pageId })).body;
    const onAll = (await scene.comment({})).body;
    await scene.edit(update(scene.pageId, 'Nothing of it.\n'));
    expect((await scene.read(onPage.id)).target.page.outdated).toBe(false);
    expect(await scene.read(onAll.id)).toEqual(onAll);
    const { items } = await contents.get(`${scene.place}/comments?targetPage=${scene.pageId}`);
    expect(items.map(({ id }: Answer['body']) => id)).toEqual([onPage.id]);
    expect((await contents.get(`${scene.place}/comments?targetPage=nothing`)).count).toBe(0);
  });

  test('a block can be named by its key in an older revision', async () => {
    const scene = await aScene(kind);
    const [first, second] = await scene.keys();
    const seen = (await contents.get(`${scene.place}/content`)).id;
    await scene.edit(update(scene.pageId, TEXT.replace('Second paragraph.', 'Second paragraph, better.')));
    const key = (await scene.keys())[1];
    const about = { page: scene.pageId, node: second };
    expectError(await scene.comment(about), 400, /revision/);
    const { body } = await scene.comment({ ...about, revision: seen });
    expect(body.target.node).toEqual({ id: key, preview: 'Second paragraph, better.' });
    expect(body.target.page.outdated).toBe(false);
    expect(await scene.read(body.id)).toEqual(body);

    await scene.edit(
      update(scene.pageId, '# Other\n\nNothing of that kind is here any more, not even alike.\n'),
    );
    const late = await scene.comment({ page: scene.pageId, node: first, revision: seen });
    expect(late.body.target).toMatchObject({
      node: { id: first, preview: 'First paragraph.' },
      page: { outdated: true },
    });
    expectError(await scene.comment({ page: scene.pageId, node: 'never', revision: seen }), 400);
    expectError(await scene.comment({ ...about, revision: 'nothing' }), 404);
  });

  test('a comment on a missing page, block or cell is rejected', async () => {
    const scene = await aScene(kind);
    const other = await aScene('on a space');
    const [first] = await scene.keys();
    // A page of another space is not found, as an unknown id is not.
    expectError(await scene.comment({ page: other.pageId }), 404, /body\.page/);
    expectError(await scene.comment({ page: 'nothing' }), 404);
    for (const [body, path] of [
      [{ node: first }, 'body.node'],
      [{ page: scene.pageId, node: 'nothing' }, 'body.node'],
      [{ page: scene.pageId, node: '' }, 'body.node'],
      [{ page: scene.pageId, node: '__proto__' }, 'body.node'],
      [{ tableCell: { record: 'a', definition: 'b' } }, 'body.tableCell'],
      [{ page: scene.pageId, tableCell: { record: 'a', definition: 'b' } }, 'body.tableCell'],
      [{ page: scene.pageId, node: first, tableCell: { record: 'a', definition: 'b' } }, 'body.tableCell'],
    ] as const) {
      const answer = await scene.comment(body);
      expectError(answer, 400);
      expect(detailsOf(answer)[0]).toContain(path);
    }
    expect((await contents.get(`${scene.place}/comments`)).count).toBe(0);
  });
});

test('an event that is delivered late or twice changes nothing more', async () => {
  const scene = await aScene('on a space');
  const [, second] = await scene.keys();
  const early = (await scene.comment({ page: scene.pageId, node: second })).body;
  for (const word of ['better', 'best']) {
    const text = TEXT.replace('Second paragraph.', `Second paragraph, ${word}.`);
    const { status } = await contents.send(scene.space, [update(scene.pageId, text)]);
    expect(status).toBe(200);
  }
  const now = (await scene.keys())[1];
  // Posted on a revision to which the earlier comment has not been moved yet.
  const late = (await scene.comment({ page: scene.pageId, node: now })).body;
  await app.tellReaders();
  await app.sql('update event_readers set last = 0');
  await app.tellReaders();
  for (const { id } of [early, late]) {
    const { node, page } = (await scene.read(id)).target;
    expect(node).toEqual({ id: now, preview: 'Second paragraph, best.' });
    expect(page.outdated).toBe(false);
  }
});

test('a comment on a block waits for a concurrent edit and refers to its result', async () => {
  const scene = await aScene('on a space');
  const before = (await contents.get(`${scene.space}/content`)).id;
  const [kept, lost] = await scene.keys();
  await scene.edit(update(scene.pageId, 'First paragraph.\n'));
  const after = (await contents.get(`${scene.space}/content`)).id;
  const id = scene.space.split('/').at(-1);
  await app.sql('update spaces set revision_id = $1 where id = $2', [before, id]);

  await app.sql('begin');
  onTestFinished(async () => void (await app.sql('rollback')));
  await app.sql('update spaces set revision_id = $1 where id = $2', [after, id]);
  const answers = [kept, lost].map((node) => scene.comment({ page: scene.pageId, node }));
  await expect.poll(() => countLockWaits(app)).toBeGreaterThan(0);
  await app.sql('commit');
  const [onKept, onLost] = await Promise.all(answers);
  expect(onKept?.body.target).toMatchObject({ revision: after, node: { id: kept } });
  expectError(onLost as Answer, 400);
});

test('comments on blocks are posted while the space is edited', async () => {
  const scene = await aScene('on a space');
  const [other = ''] = idsOf(await contents.edit(scene.space, insert('Busy', 'Words.\n')));
  const [first, second] = await scene.keys();
  const done = new AbortController();
  const editor = async (n: number) => {
    for (let round = 0; !done.signal.aborted; round++) {
      const { status } = await contents.send(scene.space, [update(other, `Words ${n} ${round}.\n`)]);
      expect(status).toBe(200);
    }
  };
  const commenter = async (node: string | undefined) => {
    const statuses: number[] = [];
    for (let n = 0; n < 30; n++) statuses.push((await scene.comment({ page: scene.pageId, node })).status);
    return statuses;
  };
  const editors = [1, 2, 3, 4].map(editor);
  const statuses = await Promise.all([first, second].map(commenter)).finally(() => done.abort());
  await Promise.all(editors);
  expect(new Set(statuses.flat())).toEqual(new Set([200]));
  expect((await contents.get(scene.space)).comments).toBe(60);
});

describe('an edit whose event is delivered later', () => {
  /** Edits without delivering the event. */
  const editOnly = async (scene: Scene, markdown: string) => {
    const { status } = await contents.call('POST', `${scene.place}/content`, {
      changes: [update(scene.pageId, markdown)],
    });
    expect(status).toBe(200);
  };
  const SAME = 'Same text here.\n\nMiddle.\n\nSame text here.\n';

  test.each([['on a space'], ['in a change request']])(
    '%s moves no comment that was posted after it',
    async (kind) => {
      const scene = await aScene(kind, SAME);
      await editOnly(scene, 'Middle.\n\nSame text here.\n');
      const kept = (await scene.keys())[1];
      const onKept = (await scene.comment({ page: scene.pageId, node: kept })).body;
      await app.tellReaders();
      expect((await scene.read(onKept.id)).target).toEqual(onKept.target);

      const questions = await aScene(kind, 'Yes\n\nQ2\n\nYes\n');
      await editOnly(questions, 'Yes\n\nQ0\n\nYes\n\nQ2\n\nYes\n');
      const third = (await questions.keys())[2];
      const onThird = (await questions.comment({ page: questions.pageId, node: third })).body;
      await app.tellReaders();
      expect((await questions.read(onThird.id)).target).toEqual(onThird.target);
    },
  );

  test('moves earlier comments through all later edits, in order', async () => {
    const scene = await aScene('on a space', SAME);
    const first = (await scene.keys())[0];
    const early = (await scene.comment({ page: scene.pageId, node: first })).body;
    await editOnly(scene, `Before.\n\n${SAME}`);
    const last = (await scene.keys())[3];
    const between = (await scene.comment({ page: scene.pageId, node: last })).body;
    await editOnly(scene, 'Before.\n\nMiddle.\n\nSame text here.\n');
    await app.tellReaders();
    const [, , left] = await scene.keys();
    expect((await scene.read(early.id)).target.page.outdated).toBe(true);
    expect((await scene.read(between.id)).target).toMatchObject({
      node: { id: left },
      page: { outdated: false },
    });
    // A second delivery changes nothing.
    const now = await contents.get(`${scene.place}/comments`);
    await app.sql('update event_readers set last = 0');
    await app.tellReaders();
    expect(await contents.get(`${scene.place}/comments`)).toEqual(now);
  });

  test('in one transaction with others moves a comment on an older revision', async () => {
    const scene = await aScene('on a space', SAME);
    const [, , third] = await scene.keys();
    const seen = (await contents.get(`${scene.place}/content`)).id;
    // One transaction, several revisions.
    const edits = ['One', 'Two', 'Three'].map((word) =>
      contents.send(scene.space, [update(scene.pageId, `${word}.\n\nMiddle.\n\nSame text here.\n`)]),
    );
    for (const { status } of await Promise.all(edits)) expect(status).toBe(200);
    const comment = (await scene.comment({ page: scene.pageId, node: third, revision: seen })).body;
    expect(comment.target).toMatchObject({
      node: { id: (await scene.keys())[2] },
      page: { outdated: false },
    });
    await app.tellReaders();
    expect((await scene.read(comment.id)).target).toEqual(comment.target);
  });
});

test('nested blocks and cells of tables can be commented on', async () => {
  const scene = await aScene('on a space', '- one\n- two\n\n| A | B |\n| - | - |\n| 1 | 2 |\n');
  const { nodes } = (await scene.page()).document;
  const [list, table] = nodes;
  const item = await scene.comment({ page: scene.pageId, node: list.nodes[1].key });
  expect(item.body.target.node).toEqual({ id: list.nodes[1].key, preview: 'two' });
  const tableCell = {
    record: Object.keys(table.data.records)[0],
    definition: Object.keys(table.data.definition)[1],
  };
  const cell = await scene.comment({ page: scene.pageId, node: table.key, tableCell });
  expect(cell.body.target.tableCell).toEqual(tableCell);
  expect(await scene.read(cell.body.id)).toEqual(cell.body);
  const wrong = { ...tableCell, record: '__proto__' };
  expectError(await scene.comment({ page: scene.pageId, node: table.key, tableCell: wrong }), 400);
});

test('a comment on a cell follows the cell while its table changes', async () => {
  const table = (first: string, second: string) =>
    `| A | B |\n| - | - |\n| ${first} | 2 |\n| 3 | ${second} |\n`;
  const scene = await aScene('on a space', table('1', '4'));
  const cellAt = async (row: number, column: number) => {
    const [{ key, data }] = (await scene.page()).document.nodes;
    const tableCell = {
      record: Object.keys(data.records)[row],
      definition: Object.keys(data.definition)[column],
    };
    return { node: key, tableCell };
  };
  const { body } = await scene.comment({ page: scene.pageId, ...(await cellAt(1, 1)) });
  await scene.edit(update(scene.pageId, table('one', 'four')));
  const { target } = await scene.read(body.id);
  expect(target).toMatchObject({ tableCell: (await cellAt(1, 1)).tableCell, page: { outdated: false } });
  await scene.edit(update(scene.pageId, '| A | B |\n| - | - |\n| one | 2 |\n'));
  expect((await scene.read(body.id)).target.page.outdated).toBe(true);
  await scene.edit(update(scene.pageId, table('one', 'four')));
  const { node, tableCell } = target;
  expect((await scene.read(body.id)).target).toMatchObject({ node, tableCell, page: { outdated: false } });
});

test('a comment on a cell follows an edited row, not one that existed before', async () => {
  const table = (...rows: string[]) =>
    `| A | B |\n| - | - |\n${rows.map((row) => `| ${row} | 2 |\n`).join('')}`;
  const recordsOf = async (scene: Scene) => {
    const [{ key, data }] = (await scene.page()).document.nodes;
    return { node: key, records: Object.keys(data.records), definition: Object.keys(data.definition)[0] };
  };
  const commented = async (...rows: string[]) => {
    const scene = await aScene('on a space', table(...rows));
    const { node, records, definition } = await recordsOf(scene);
    const tableCell = { record: records[0], definition };
    const { body } = await scene.comment({ page: scene.pageId, node, tableCell });
    return { scene, id: body.id as string };
  };
  const swapped = await commented('alpha', 'beta');
  await swapped.scene.edit(update(swapped.scene.pageId, table('beta', 'alpha (edited)')));
  const { records } = await recordsOf(swapped.scene);
  expect((await swapped.scene.read(swapped.id)).target).toMatchObject({
    tableCell: { record: records[1] },
    page: { outdated: false },
  });
  // The edited row is ambiguous.
  const ambiguous = await commented('alpha', 'beta', 'gamma');
  await ambiguous.scene.edit(update(ambiguous.scene.pageId, table('gamma', 'one', 'two')));
  expect((await ambiguous.scene.read(ambiguous.id)).target.page.outdated).toBe(true);
});

test('identical blocks have separate comments', async () => {
  const scene = await aScene('on a space', 'Same text.\n\nMiddle.\n\nSame text.\n');
  const [first, , third] = await scene.keys();
  const one = (await scene.comment({ page: scene.pageId, node: first })).body;
  const other = (await scene.comment({ page: scene.pageId, node: third })).body;
  await scene.edit(update(scene.pageId, 'Middle.\n\nSame text.\n'));
  expect((await scene.read(one.id)).target.page.outdated).toBe(true);
  expect((await scene.read(other.id)).target.page.outdated).toBe(false);
  await scene.edit(update(scene.pageId, 'Same text.\n\nMiddle.\n\nSame text.\n'));
  expect((await scene.read(one.id)).target).toMatchObject({ node: { id: first }, page: { outdated: false } });
  expect((await scene.read(other.id)).target.node.id).toBe(third);
});

test('a lone surrogate does not stop delivery', async () => {
  const scene = await aScene('on a space');
  const [, second] = await scene.keys();
  const { body } = await scene.comment({ page: scene.pageId, node: second });
  await scene.edit(update(scene.pageId, TEXT.replace('Second', 'Second &#xD800; &#0; &#55357;')));
  const { node } = (await scene.read(body.id)).target;
  expect(node.preview).toBe('Second \ufffd \ufffd \ufffd paragraph.');
  expect((await scene.comment({ page: scene.pageId, node: node.id })).status).toBe(200);
});

test('the preview of a block is truncated', async () => {
  const scene = await aScene('on a space', `${'👩‍🚀 '.repeat(300)}\n`);
  const [only] = await scene.keys();
  const { body } = await scene.comment({ page: scene.pageId, node: only });
  expect([...body.target.node.preview]).toHaveLength(200);
});

test('a page without a document has comments but no blocks', async () => {
  const space = await contents.aSpace();
  const [group] = idsOf(
    await contents.edit(space, { operation: 'insert_page', type: 'group', title: 'Part' }),
  );
  const body = { body: { markdown: 'Why?' }, page: group };
  expect((await contents.call('POST', `${space}/comments`, body)).body.target.page).toMatchObject({
    path: 'part',
  });
  expectError(await contents.call('POST', `${space}/comments`, { ...body, node: 'x' }), 400, /no document/);
});

test('comments of a change request and of its space refer to separate content', async () => {
  const scene = await aScene('in a change request');
  const proposed = (await contents.call('POST', `${scene.place}/content`, { changes: [insert('New')] }))
    .status;
  expect(proposed).toBe(200);
  const { pages } = await contents.get(`${scene.place}/content/pages`);
  const page = pages.find(({ title }: Answer['body']) => title === 'New').id;
  expect((await scene.comment({ page })).status).toBe(200);
  expectError(
    await contents.call('POST', `${scene.space}/comments`, { body: { markdown: 'Why?' }, page }),
    404,
  );
});
