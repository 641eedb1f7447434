import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { aSide } from '../../../test/world.ts';
import type { Database } from '../../platform/database/connection.ts';
import { effectiveRole, SPACE } from '../access/index.ts';
import { SITE_ROLE } from '../sites/policy.ts';
import { countSpacesAndSites, type MemberRow } from '../members/index.ts';
import { countSpacesOfTeams } from './count-store.ts';
import type { TeamRow } from './policy.ts';

let app: TestApp;
let db: Database;
let organization: string;

beforeAll(async () => {
  app = await startApp();
  ({ db } = app.app.installation.connection);
});

const PEOPLE = 40;
const TEAMS = 100;
const SPACES = 300;

/** Nested collections, spaces, teams and grants, different for each seed, without the operations: there are too many. */
async function fill(seed: number): Promise<void> {
  ({ organizationId: organization } = await aSide(app, `counts${seed}`));
  const statements = [
    `select setseed(${seed / 100})`,
    `insert into users (id, display_name, email)
     select $1 || 'u' || n, 'Name', lower($1) || n || '@octavo.test' from generate_series(1, ${PEOPLE}) n`,
    `insert into members (organization_id, user_id, role, disabled)
     select $1, $1 || 'u' || n, (array['admin', 'edit', 'read', null, null])[1 + n % 5]::role, n % 11 = 0
     from generate_series(1, ${PEOPLE}) n`,
    // Collection n is inside collection n / 3.
    `insert into collections (id, organization_id, parent_id, path, title, position, default_inherits, default_level)
     select $1 || 'c' || n, $1, case when n >= 3 then $1 || 'c' || n / 3 end, array_remove(array[
         case when n >= 9 then $1 || 'c' || n / 9 end, case when n >= 3 then $1 || 'c' || n / 3 end, $1 || 'c' || n], null),
       'Collection', 'a' || n, random() < 0.6, null
     from generate_series(1, 26) n`,
    `update collections set default_level = 'read' where organization_id = $1 and not default_inherits and random() < 0.5`,
    `with many as (
       insert into spaces (id, organization_id, store_id, parent_id, title, position, revision_id, default_inherits,
         default_level, deleted_at)
       select $1 || 's' || n, $1, $1, case when n % 10 > 0 then $1 || 'c' || 1 + n % 26 end, 'Space', 'a' || n,
         $1 || 'r' || n, n % 7 > 0, case when n % 14 = 0 then 'edit'::role end, case when n % 13 = 0 then now() end
       from generate_series(1, ${SPACES}) n returning id, revision_id)
     insert into revisions (id, space_id, type, sequence) select revision_id, id, 'edits', 1 from many`,
    `insert into teams (id, organization_id, title)
     select $1 || 't' || n, $1, 'Team' from generate_series(1, ${TEAMS}) n`,
    `insert into team_members (organization_id, team_id, user_id)
     select $1, $1 || 't' || n, $1 || 'u' || 1 + floor(random() * ${PEOPLE})::int
     from generate_series(1, ${TEAMS}) n, generate_series(1, 3) on conflict do nothing`,
    `insert into grants (id, organization_id, space_id, collection_id, team_id, user_id, role)
     select $1 || 'g' || n, $1, case when n % 2 = 0 then $1 || 's' || 1 + floor(random() * ${SPACES})::int end,
       case when n % 2 = 1 then $1 || 'c' || 1 + floor(random() * 26)::int end,
       case when n % 3 > 0 then $1 || 't' || 1 + floor(random() * ${TEAMS})::int end,
       case when n % 3 = 0 then $1 || 'u' || 1 + floor(random() * ${PEOPLE})::int end, 'read'
     from generate_series(1, 150) n on conflict do nothing`,
    `insert into sites (id, organization_id, title, basename)
     select $1 || 'w' || n, $1, 'Site', lower($1) || 'w' || n from generate_series(1, 20) n`,
    `insert into grants (id, organization_id, site_id, team_id, user_id, role)
     select $1 || 'x' || n, $1, $1 || 'w' || 1 + floor(random() * 20)::int,
       case when n % 3 > 0 then $1 || 't' || 1 + floor(random() * ${TEAMS})::int end,
       case when n % 3 = 0 then $1 || 'u' || 1 + floor(random() * ${PEOPLE})::int end, 'read'
     from generate_series(1, 60) n on conflict do nothing`,
  ];
  for (const text of [...statements, 'analyze'])
    await app.sql(text, text.includes('$1') ? [organization] : []);
}

const rowsOf = async <Row>(table: string, key: string): Promise<Row[]> =>
  (await app.sql(`select *, ${key} from ${table} where organization_id = $1`, [organization])) as Row[];

const teamRows = () => rowsOf<TeamRow>('teams', 'id as team_id');

describe.each([1, 2, 3])('with the data of seed %i', (seed) => {
  beforeAll(() => fill(seed));

  test('the spaces of a member are those on which they have a role', async () => {
    const expected = await app.sql(
      `select mine.user_id, count(*) filter (where not mine.disabled and r.role is not null)::int as spaces
       from members mine join spaces s on s.organization_id = mine.organization_id and s.deleted_at is null
       left join collections c on c.id = s.parent_id
       cross join lateral (select ${effectiveRole(SPACE)} as role) r
       where mine.organization_id = $1 group by 1 order by 1`,
      [organization],
    );
    const counted = await countSpacesAndSites(db, await rowsOf<MemberRow>('members', 'user_id'));
    const actual = counted.map(({ user_id, spaces }) => ({ user_id, spaces }));
    expect(actual.toSorted((a, b) => (a.user_id < b.user_id ? -1 : 1))).toEqual(
      expected.toSorted((a, b) => (String(a['user_id']) < String(b['user_id']) ? -1 : 1)),
    );
    expect(new Set(actual.map(({ spaces }) => spaces)).size).toBeGreaterThan(5);
  });

  test('the sites of a member are those on which they have a role', async () => {
    const expected = await app.sql(
      `select mine.user_id, count(*) filter (where not mine.disabled and r.role is not null)::int as sites
       from members mine left join sites t on t.organization_id = mine.organization_id
       left join lateral (select ${SITE_ROLE} as role) r on t.id is not null
       where mine.organization_id = $1 group by 1`,
      [organization],
    );
    const counted = await countSpacesAndSites(db, await rowsOf<MemberRow>('members', 'user_id'));
    expect(new Map(counted.map(({ user_id, sites }) => [user_id, sites]))).toEqual(
      new Map(expected.map(({ user_id, sites }) => [user_id, sites])),
    );
    expect(new Set(counted.map(({ sites }) => sites)).size).toBeGreaterThan(2);
  });

  test('the spaces of a team are those that a grant reaches', async () => {
    const expected = await app.sql(
      `select t.id, (select count(*) from spaces s left join collections c on c.id = s.parent_id
         where s.deleted_at is null and exists (select from grants g
           where g.team_id = t.id and (g.space_id = s.id or g.collection_id = any(c.path))))::int as spaces
       from teams t where t.organization_id = $1`,
      [organization],
    );
    const counted = await countSpacesOfTeams(db, await teamRows());
    expect(new Map(counted.map(({ team_id, spaces }) => [team_id, spaces]))).toEqual(
      new Map(expected.map(({ id, spaces }) => [id, spaces])),
    );
  });

  test('the spaces of a collection are read once for all teams and members', async () => {
    await app.sql(
      `insert into grants (id, organization_id, collection_id, team_id, role)
       select $1 || 'all' || id, $1, $1 || 'c1', id, 'read' from teams where organization_id = $1
       on conflict do nothing`,
      [organization],
    );
    const [teams, members] = [await teamRows(), await rowsOf<MemberRow>('members', 'user_id')];
    const read = await db.transaction().execute(async (transaction) => {
      await countSpacesOfTeams(transaction, teams);
      await countSpacesAndSites(transaction, members);
      const { rows } = await sql<{ read: number }>`
        select seq_tup_read + coalesce(idx_tup_fetch, 0) as read
        from pg_stat_xact_user_tables where relname = 'spaces'`.execute(transaction);
      return rows[0]?.read;
    });
    expect(read).toBeGreaterThan(0);
    // Once for each team and member, it would be twice as many. How many fewer depends on the plan.
    expect(read).toBeLessThan(((PEOPLE + TEAMS) * SPACES) / 2);
  });
});
