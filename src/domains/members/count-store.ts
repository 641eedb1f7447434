import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import { HELD_SPACES, HIDDEN, SPACE_COUNTS } from '../access/index.ts';
import type { MemberRow } from './policy.ts';

/** A row with the number of spaces that the holder of grants may view. */
export type Counted<Row> = Row & { readonly spaces: number };

/** A row with the numbers of spaces and sites that the member may view. */
export type CountedMember<Row> = Counted<Row> & { readonly sites: number };

/**
 * Members of one organization with the numbers of their spaces and sites. The spaces that all members may view are counted once;
 * for each member, only those that their grants add. `spaces/counts.test.ts` compares it with the lists of spaces.
 */
export async function countSpacesAndSites<Row extends MemberRow>(
  db: Database,
  rows: readonly Row[],
): Promise<CountedMember<Row>[]> {
  const [first] = rows;
  if (!first) return [];
  const organizationId = first.organization_id;
  const userIds = rows.map((row) => row.user_id);
  const counts = await sql<{ user_id: string; spaces: number; sites: number }>`
    with granted as materialized (
      select g.user_id as holder_id, g.collection_id, g.space_id from grants g
      where g.organization_id = ${organizationId} and g.user_id = any(${userIds}) and g.site_id is null
      union
      select tm.user_id, g.collection_id, g.space_id
      from team_members tm join grants g on g.organization_id = tm.organization_id and g.team_id = tm.team_id
      where tm.organization_id = ${organizationId} and tm.user_id = any(${userIds}) and g.site_id is null
    ), on_sites as materialized (
      select g.user_id as holder_id, g.site_id from grants g
      where g.organization_id = ${organizationId} and g.user_id = any(${userIds}) and g.site_id is not null
      union
      select tm.user_id, g.site_id
      from team_members tm join grants g on g.organization_id = tm.organization_id and g.team_id = tm.team_id
      where tm.organization_id = ${organizationId} and tm.user_id = any(${userIds}) and g.site_id is not null
    ), ${sql.raw(HELD_SPACES)}, total as (
      select coalesce(sum(n.spaces), 0) as spaces, coalesce(sum(${sql.raw(HIDDEN)}), 0) as hidden
      from (
        select s.parent_id, ${sql.raw(SPACE_COUNTS)} from spaces s
        where s.organization_id = ${organizationId} and s.deleted_at is null group by s.parent_id) n
      left join collections c on c.id = n.parent_id
    )
    select m.user_id, (case when m.disabled then 0 when m.role = 'admin' then total.spaces
      when m.role is not null then total.spaces - total.hidden + coalesce(held.hidden, 0)
      else coalesce(held.spaces, 0) end)::int as spaces,
      (case when m.disabled then 0
        when m.role = 'admin' then (select count(*) from sites t where t.organization_id = m.organization_id)
        else (select count(*) from on_sites o where o.holder_id = m.user_id) end)::int as sites
    from members m left join held on held.holder_id = m.user_id cross join total
    where m.organization_id = ${organizationId} and m.user_id = any(${userIds})`.execute(db);
  const byUser = new Map(counts.rows.map((counted) => [counted.user_id, counted]));
  return rows.map((row) => {
    const { spaces = 0, sites = 0 } = byUser.get(row.user_id) ?? {};
    return { ...row, spaces, sites };
  });
}
