import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startApp } from '../../../test/app.ts';
import { placesOf } from '../../../test/places.ts';
import { aSide } from '../../../test/world.ts';
import type { Database } from '../../platform/database/connection.ts';
import { deletePages, listPages, updatePaths } from './store.ts';

const PAGES = 3000;

test('pages are found by their ids, also before the planner knows the size of the space', async () => {
  const app = await startApp();
  const { aSpace } = placesOf(app, await aSide(app, 'deleted'));
  const [known, fresh] = [await aSpace(), await aSpace()];
  const fill = (space: string, count: number) =>
    app.sql(
      `insert into search_pages (space_id, page_id, number, title, description, path, label)
       select $1, 'page-' || n, n, 'Title', '', 'path-' || n, '' from generate_series(1, $2::int) n`,
      [space, count],
    );
  // Statistics of other spaces, as after a first start: they say that a space has one page or two.
  await fill(known, 2);
  await app.sql('analyze search_pages');
  await fill(fresh, PAGES);
  const { db } = app.app.installation.connection;
  const rowsRead = (work: (transaction: Database) => Promise<unknown>): Promise<number> =>
    db.transaction().execute(async (transaction) => {
      const read = async () => {
        const { rows } = await sql<{ read: string }>`
          select idx_tup_fetch + seq_tup_read as read from pg_stat_xact_user_tables
          where relname = 'search_pages'`.execute(transaction);
        return Number(rows[0]?.read);
      };
      const before = await read();
      await work(transaction);
      return (await read()) - before;
    });
  const ids = Array.from({ length: 1000 }, (_each, n) => `page-${n + 1}`);
  const moved = ids.map((id) => ({ id, path: `moved-${id}` }));
  // Pages, not pages times pages.
  const few = 5 * PAGES;
  expect(await rowsRead((transaction) => listPages(transaction, fresh, ids))).toBeLessThan(few);
  expect(await rowsRead((transaction) => updatePaths(transaction, fresh, moved))).toBeLessThan(few);
  expect(await rowsRead((transaction) => deletePages(transaction, fresh, [...ids, 'no page']))).toBeLessThan(
    few,
  );
  expect(await app.sql('select count(*)::int from search_pages where space_id = $1', [fresh])).toEqual([
    { count: PAGES - ids.length },
  ]);
});
