import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { placesOf, type Places } from '../../../test/places.ts';
import { aMember, aSide, type Side } from '../../../test/world.ts';
import { visibleRows } from '../../platform/database/visible-rows.ts';
import { spaces } from './policy.ts';

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

test('the role on a space is found without reading the grants of others', async () => {
  const outer = await places.aCollection();
  const inner = await places.aCollection(outer);
  await fill(inner, 50);
  const guest = await aMember(app, side.organizationId, null);
  await app.sql(
    `insert into teams (id, organization_id, title) select $2 || n, $1, 'Team' from generate_series(1, 500) n`,
    [side.organizationId, inner],
  );
  await app.sql(
    `insert into grants (id, organization_id, collection_id, team_id, role)
     select c.id || t.id, $1, c.id, t.id, 'read' from teams t, collections c
     where t.organization_id = $1 and c.organization_id = $1 and c.id = any($2)`,
    [side.organizationId, [outer, inner]],
  );
  await app.sql(`insert into team_members (organization_id, team_id, user_id) values ($1, $2, $3)`, [
    side.organizationId,
    `${inner}1`,
    guest.id,
  ]);
  await app.sql('analyze');
  const { db } = app.app.installation.connection;
  const [listed, read] = await db.transaction().execute(async (transaction) => {
    const rows = await visibleRows(transaction, spaces, guest.id).selectAll().execute();
    const counted = await sql<{ read: number }>`
      select seq_tup_read + coalesce(idx_tup_fetch, 0) as read
      from pg_stat_xact_user_tables where relname = 'grants'`.execute(transaction);
    return [rows.length, counted.rows[0]?.read ?? 0] as const;
  });
  expect(listed).toBe(50);
  // Two grants for each space, at most twice; all grants on the two collections are a thousand.
  expect(read).toBeLessThan(10 * listed);
});
