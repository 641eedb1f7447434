import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { contentsOf, idsOf, insert, type Contents } from '../../../test/content.ts';
import { turnRatio } from '../../../test/longest-turn.ts';
import { aSide } from '../../../test/world.ts';

let app: TestApp;
let contents: Contents;

beforeAll(async () => {
  app = await startApp();
  contents = contentsOf(app, await aSide(app, 'alpha'));
});

const ROWS = 1500;

/** With another text in the cell of one row. */
const tableWith = (edited: number): string =>
  `| Name | Value |\n| - | - |\n${Array.from({ length: ROWS }, (_each, row) => `| r${row} | ${row === 0 ? edited : row} |\n`).join('')}`;

/** A page with as many comments on cells of its table. Returns an edit of its first row that the comments follow. */
async function aCommentedTable(comments: number): Promise<() => Promise<void>> {
  const space = await contents.aSpace();
  const [page = ''] = idsOf(await contents.edit(space, insert('Table', tableWith(0))));
  const { document } = await contents.page(space, page, '?format=document');
  const [{ key, data }] = document.nodes;
  const [definition = ''] = Object.keys(data.definition);
  const posted = await contents.call('POST', `${space}/comments`, {
    body: { markdown: 'Why?' },
    page,
    node: key,
    tableCell: { record: Object.keys(data.records)[0], definition },
  });
  expect(posted.status, posted.text).toBe(200);
  await app.sql(
    `insert into comments (id, space_id, author_id, markdown, revision_id, page, node, table_cell, followed_to, store_id)
     select id || n, space_id, author_id, markdown, revision_id, page, node, table_cell, followed_to, store_id
     from comments, generate_series(2, $2::int) n where id = $1`,
    [posted.body.id, comments],
  );
  let edits = 0;
  return async () => {
    edits++;
    const markdown = tableWith(ROWS + edits);
    await contents.edit(space, { operation: 'update_page', page, document: { markdown } });
    await app.tellReaders();
    const [followed] = await app.sql(
      `select count(distinct table_cell) as cells, bool_or(outdated) as outdated from comments where page ->> 'id' = $1`,
      [page],
    );
    expect(followed).toEqual({ cells: 1, outdated: false });
  };
}

test('thousands of comments follow the cells of a large table in slices', async () => {
  const [one, many] = [await aCommentedTable(1), await aCommentedTable(5000)];
  expect(await turnRatio(many, one, 6)).toBeLessThan(6);
});
