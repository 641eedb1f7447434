import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { contentsOf, idsOf, insert } from '../../../test/content.ts';
import { aSide } from '../../../test/world.ts';

const CONNECTIONS = 6;
const PAGES = 20;
const LINKS = 20_000;
/** PostgreSQL uses the plan for any parameters from the sixth execution on. */
const EDITS = 12;

const range = <T>(count: number, each: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => each(n));

/** Rows of links that statements have read, after all connections have reported theirs. */
async function rowsRead(app: TestApp): Promise<number> {
  const { db } = app.app.installation.connection;
  // The pause makes each statement run on a connection of its own.
  const flush = () => sql`select pg_stat_force_next_flush(), pg_sleep(0.1)`.execute(db);
  await Promise.all(Array.from({ length: CONNECTIONS }, flush));
  const [row] = await app.sql(
    `select sum(seq_tup_read + idx_tup_fetch)::int as read from pg_stat_user_tables
     where relname in ('links', 'link_targets', 'link_entries', 'search_pages')`,
  );
  return row?.['read'] as number;
}

test('an edit reads a few links of a space with many, also before the planner knows its size', async () => {
  const app = await startApp({ environment: { OCTAVO_DATABASE_POOL: String(CONNECTIONS) } });
  const contents = contentsOf(app, await aSide(app, 'write-plans'));
  const space = await contents.aSpace();
  const pages = idsOf(await contents.edit(space, ...range(PAGES, (n) => insert(`Page ${n}`, 'Text.'))));
  const edit = (n: number) =>
    contents.edit(
      space,
      ...pages.map((page, i) => ({
        operation: 'update_page',
        page,
        document: { markdown: `[a](https://example.com/${n}/${i}) [b](/pages/page) [c](missing-${n}.md)` },
      })),
    );
  // Plans are made while the tables are small.
  for (let n = 0; n < EDITS; n += 1) await edit(n);
  await app.sql(
    `with targets as (
       insert into link_targets (space_id, key, relation, kind, url, address, broken, sources)
       select $1, md5('other ' || n)::uuid, 'reference', 'url', 'https://example.org/' || n, 'https://example.org/' || n,
         false, 1
       from generate_series(1, ${LINKS}) n returning key
     )
     insert into links (space_id, source_id, ordinal, target, loose)
     select $1, 'source-' || left(key::text, 3), row_number() over (), key, false from targets`,
    [space.split('/').at(-1)],
  );
  const before = await rowsRead(app);
  for (let n = EDITS; n < 2 * EDITS; n += 1) await edit(n);
  // One statement that reads all links would exceed it.
  expect((await rowsRead(app)) - before).toBeLessThan(LINKS);
});

test('what a page includes is read once for all links to its anchors, also from other spaces', async () => {
  const app = await startApp({ environment: { OCTAVO_DATABASE_POOL: String(CONNECTIONS) } });
  const contents = contentsOf(app, await aSide(app, 'anchors'));
  const [space, other] = [await contents.aSpace(), await contents.aSpace()];
  const edited = await contents.edit(space, {
    operation: 'insert_reusable_content',
    title: 'Part',
    document: { markdown: '## Present\n' },
    ref: 'part',
  });
  const part = edited.changes[0].reusableContent.id;
  const many = 300;
  const includes = range(many, (n) => `{% include "/reusable-content/${part}?${n}" %}`).join('\n\n');
  const [page = ''] = idsOf(await contents.edit(space, insert('Page', includes)));
  const linksTo = (href: (n: number) => string) => insert('Links', range(many, (n) => href(n)).join(' '));
  const before = await rowsRead(app);
  await contents.edit(
    space,
    linksTo((n) => `[a](/pages/page#${n === 0 ? 'present' : n})`),
  );
  const ofSpace = `?space=${space.split('/').at(-1)}`;
  await contents.edit(
    other,
    linksTo((n) => `[a](octavo:page/${page}${ofSpace}#${n === 0 ? 'present' : n})`),
  );
  const stats = { total: many, broken: { total: many - 1 } };
  expect((await contents.get(`${other}/links?limit=${many}`)).stats).toEqual(stats);
  expect((await contents.get(`${space}/links?status=broken&limit=1`)).count).toBe(many - 1);
  // Once for each link, it would be 300 times as many as includes.
  expect((await rowsRead(app)) - before).toBeLessThan(50 * many);
});
