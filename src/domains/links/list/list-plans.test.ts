import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../../test/app.ts';
import { contentsOf, idsOf, insert, type Contents } from '../../../../test/content.ts';
import { aSide } from '../../../../test/world.ts';

const TABLES = ['link_targets', 'links', 'link_entries'];
/** PostgreSQL uses the plan for any parameters from the sixth execution on. */
const TIMES = 7;
const CONNECTIONS = 6;

let app: TestApp;
let contents: Contents;
let space: string;
let page: string;
let request: string;

/** Rows of links in a space and in four others, each as large. */
async function fillTables(spaceId: string, pageId: string): Promise<void> {
  await app.sql(
    `with places as (
       select 'other-' || n as space_id from generate_series(1, 4) n union all select $1
     ), targets as (
       insert into link_targets (space_id, key, relation, kind, target_id, url, address, broken, sources)
       select space_id, md5('target ' || n)::uuid, 'reference', kind, case kind when 'page' then 'entry-' || n end,
         case kind when 'page' then null else url end, case kind when 'url' then url end, kind = 'missing', 1
       from places, generate_series(1, 10000) n,
         lateral (select case when n % 2 = 0 then 'page' when n % 50 = 1 then 'missing' else 'url' end as kind,
           case when n % 100 = 3 then 'http://octavo.test/' else 'https://example.com/' end || n as url) of_kind
       returning space_id, key
     )
     insert into links (space_id, source_id, ordinal, target, loose)
     select t.space_id, 'source-' || left(t.key::text, 3), row_number() over (), t.key, false
     from targets t, generate_series(1, 2) n`,
    [spaceId],
  );
  await app.sql(
    `insert into links (space_id, source_id, ordinal, target, loose)
     select space_id, $2, row_number() over (), key, false from link_targets where space_id = $1 limit 20`,
    [spaceId, pageId],
  );
  await app.sql(`update link_targets set target_id = $2 where space_id = $1 and target_id = 'entry-2'`, [
    spaceId,
    pageId,
  ]);
  await app.sql(
    `insert into link_entries (space_id, entry_id, kind, anchors)
     select 'other-' || s, 'entry-' || n, 'page', '{}' from generate_series(1, 4) s, generate_series(1, 10000) n`,
  );
  await app.sql(`analyze ${TABLES.join(', ')}`);
}

beforeAll(async () => {
  app = await startApp({ environment: { OCTAVO_DATABASE_POOL: String(CONNECTIONS) } });
  contents = contentsOf(app, await aSide(app, 'plans'));
  space = await contents.aSpace();
  [page = ''] = idsOf(await contents.edit(space, insert('Page', 'Text.')));
  await fillTables(space.split('/').at(-1) ?? '', page);
  request = (await contents.call('POST', `${space}/change-requests`, {})).body.id;
  await contents.edit(
    `${space}/change-requests/${request}`,
    insert('New', '[p](/pages/page) [m](missing.md)'),
  );
});

/** Sequential scans of the tables, after all connections have reported theirs. */
async function sequentialScans(): Promise<Record<string, unknown>> {
  const { db } = app.app.installation.connection;
  // The pause makes each statement run on a connection of its own.
  const flush = () => sql`select pg_stat_force_next_flush(), pg_sleep(0.1)`.execute(db);
  await Promise.all(Array.from({ length: CONNECTIONS }, flush));
  const rows = await app.sql(
    'select relname, seq_scan::int from pg_stat_user_tables where relname = any($1)',
    [TABLES],
  );
  return Object.fromEntries(rows.map(({ relname, seq_scan: count }) => [relname, count]));
}

test('a sequential scan is noticed', async () => {
  const before = await sequentialScans();
  const { db } = app.app.installation.connection;
  await sql`select count(*) from links where href is not distinct from ${'x'}`.execute(db);
  expect(await sequentialScans()).not.toEqual(before);
});

test.each([
  ['links', ''],
  ['links', '&status=ok'],
  ['links', '&status=broken'],
  ['links', '&status=in-app'],
  ['content/page/PAGE/links', ''],
  ['content/page/PAGE/links', '&status=broken'],
  ['content/page/PAGE/backlinks', ''],
  ['change-requests/REQUEST/links', ''],
  ['change-requests/REQUEST/links', '&status=broken'],
  ['change-requests/REQUEST/links', '&brokenContext=space'],
  ['change-requests/REQUEST/links', '&brokenContext=change-request'],
  ['change-requests/REQUEST/content/page/PAGE/links', ''],
  ['change-requests/REQUEST/content/page/PAGE/backlinks', ''],
])('%s%s reads no whole table, on no page', async (path, query) => {
  const before = await sequentialScans();
  const url = `${space}/${path.replace('PAGE', page).replace('REQUEST', request)}?limit=10${query}`;
  let cursor: string | undefined;
  for (let times = 0; times < TIMES; times++) {
    const answer = await contents.get(
      cursor === undefined ? url : `${url}&page=${encodeURIComponent(cursor)}`,
    );
    expect(answer.count).toBeGreaterThan(0);
    cursor = answer.next?.page ?? cursor;
  }
  expect(await sequentialScans()).toEqual(before);
});
