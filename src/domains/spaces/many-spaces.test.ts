import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { placesOf, type Places } from '../../../test/places.ts';
import { aSide, type Side } from '../../../test/world.ts';

let app: TestApp;
let side: Side;
let places: Places;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
  places = placesOf(app, side);
});

/** Spaces in a collection, without the operations: there are too many. */
async function fill(parent: string, count: number): Promise<void> {
  await app.sql(
    `with many as (
      insert into spaces (id, organization_id, store_id, parent_id, title, position, revision_id)
      select $2 || n, $1, $1, $2, 'Many', 'a' || lpad(n::text, 6, '0') || 'V', $2 || 'r' || n
      from generate_series(1, $3::int) n returning id, revision_id)
    insert into revisions (id, space_id, type, sequence) select revision_id, id, 'edits', 1 from many`,
    [side.organizationId, parent, count],
  );
}

const titleOf = async (id: string): Promise<string> => (await places.get(`/v1/spaces/${id}`)).body.title;

test('a transaction that changes very many rows clears the cache, and announces that once', async () => {
  const parent = await places.aCollection();
  await fill(parent, 2000);
  const last = `${parent}2000`;
  for (let n = 0; n < 3; n++) expect(await titleOf(last)).toBe('Many');
  const { db } = app.app.installation.connection;
  const announced = await db.transaction().execute(async (transaction) => {
    await sql`update spaces set title = 'Changed' where parent_id = ${parent}`.execute(transaction);
    const { rows } = await sql<{ tags: string }>`
      select current_setting('octavo.changed') as tags`.execute(transaction);
    return rows[0]?.tags;
  });
  expect(announced).toBe(' *');
  expect(await titleOf(last)).toBe('Changed');
});
