import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { placesOf } from '../../../test/places.ts';
import { aSide, type Side } from '../../../test/world.ts';
import { lookupsOf, parseQuery } from '../../content-engine/search/index.ts';
import { indexPages } from '../search-index/index.ts';
import { findBlocks, type FoundBlock } from './query-store.ts';

/** A space whose posting lists are too long for one portion. */

let app: TestApp;
let side: Side;
let space: string;

const SEGMENTS = 6;
const USES = 5000;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'portions');
  space = await placesOf(app, side).aSpace();
  const { db } = app.app.installation.connection;
  const text = `${'a '.repeat(USES)} ${'b '.repeat(USES)}`;
  for (let page = 0; page < SEGMENTS; page++) {
    const readSections = () => [{ id: undefined, title: '', level: 0, text }];
    const changed = [{ id: `p${page}`, title: `Page ${page}`, path: `p${page}`, readSections }];
    await db
      .transaction()
      .execute((trx) => indexPages({ db: trx, isFront: false }, space, { changed, removed: [] }));
  }
});

async function portionsOf(query: string, maxPortion?: number) {
  const { db } = app.app.installation.connection;
  const portions: FoundBlock[][] = [];
  let isOnly = false;
  for await (const portion of findBlocks(db, [space], lookupsOf(parseQuery(query)), maxPortion)) {
    portions.push([...portion.blocks]);
    isOnly = portion.isOnly;
  }
  return { portions, isOnly };
}

const sizeOf = (blocks: readonly FoundBlock[]): number =>
  blocks.reduce((sum, { entries }) => sum + entries.length, 0);
const keysOf = (blocks: readonly FoundBlock[]): string[] =>
  blocks.map(({ first_page: page, lookup, entries }) => `${page} ${lookup} ${entries}`).toSorted();

describe('the blocks of a search', () => {
  test('are read at once while they are small', async () => {
    const { portions, isOnly } = await portionsOf('a b ');
    expect(portions).toHaveLength(1);
    expect(isOnly).toBe(true);
  });

  test('are read in portions of whole segments beyond the limit', async () => {
    const whole = (await portionsOf('a b ')).portions.flat();
    const ofSegment = sizeOf(whole) / SEGMENTS;
    expect(ofSegment).toBeGreaterThan(4 * USES);
    for (const [limit, most] of [
      [2.5 * ofSegment, 2],
      [ofSegment / 2, 1],
    ] as const) {
      const { portions, isOnly } = await portionsOf('a b ', Math.round(limit));
      expect(isOnly).toBe(false);
      expect(keysOf(portions.flat())).toEqual(keysOf(whole));
      for (const blocks of portions)
        expect(new Set(blocks.map((block) => block.first_page)).size).toBeLessThanOrEqual(most);
    }
  });

  test('are those that contain a word', async () => {
    expect((await portionsOf('absent ')).portions.flat()).toEqual([]);
  });

  test('are returned once for a repeated word', async () => {
    const once = await portionsOf('a ');
    expect(sizeOf((await portionsOf('a '.repeat(24))).portions.flat())).toBe(sizeOf(once.portions.flat()));
  });
});

/** PostgreSQL decides after five executions of a prepared statement whether it keeps one plan for all. */
test('the statement that reads blocks is not planned for every search', async () => {
  const { db } = app.app.installation.connection;
  const { rows } = await db.connection().execute(async (connection) => {
    for (let search = 0; search < 8; search++)
      for await (const portion of findBlocks(connection, [space], lookupsOf(parseQuery('page'))))
        void portion;
    return sql<{ kept: number }>`
      select generic_plans::int as kept from pg_prepared_statements
      where statement like '%from search_blocks%'`.execute(connection);
  });
  expect(Math.max(...rows.map(({ kept }) => kept))).toBeGreaterThan(0);
});
