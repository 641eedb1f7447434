import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import { HELD_SPACES, HIDDEN, SPACE_COUNTS } from '../access/index.ts';
import type { MemberRow } from './policy.ts';

/** With the number of spaces that the member may view. */
export type Counted<Row> = Row & { readonly spaces: number };

/**
 * Members of one organization with the numbers of their spaces. The spaces that all members may view are counted once;
 * for each member, only those that their grants add. `spaces/counts.test.ts` compares it with the lists of spaces.
 */
export async function countSpaces<Row extends MemberRow>(
  db: Database,
  rows: readonly Row[],
): Promise<Counted<Row>[]> {
  const [first] = rows;
  if (!first) return [];
  const organizationId = first.organization_id;
  const userIds = rows.map((row) => row.user_id);
  const counts = await sql<{ user_id: string; spaces: number }>`
    with granted as materialized (
      select g.user_id as holder_id, g.collection_id, g.space_id from grants g
      where g.organization_id = ${organizationId} and g.user_id = any(${userIds}) and g.site_id is null
      union
      select tm.user_id, g.collection_id, g.space_id
      from team_members tm join grants g on g.organization_id = tm.organization_id and g.team_id = tm.team_id
      where tm.organization_id = ${organizationId} and tm.user_id = any(${userIds}) and g.site_id is null
    ), ${sql.raw(HELD_SPACES)}, total as (
      select coalesce(sum(n.spaces), 0) as spaces, coalesce(sum(${sql.raw(HIDDEN)}), 0) as hidden
      from (
        select s.parent_id, ${sql.raw(SPACE_COUNTS)} from spaces s
        where s.organization_id = ${organizationId} and s.deleted_at is null group by s.parent_id) n
      left join collections c on c.id = n.parent_id
    )
    select m.user_id, (case when m.disabled then 0 when m.role = 'admin' then total.spaces
      when m.role is not null then total.spaces - total.hidden + coalesce(held.hidden, 0)
      else coalesce(held.spaces, 0) end)::int as spaces
    from members m left join held on held.holder_id = m.user_id cross join total
    where m.organization_id = ${organizationId} and m.user_id = any(${userIds})`.execute(db);
  const byUser = new Map(counts.rows.map(({ user_id: userId, spaces }) => [userId, spaces]));
  return rows.map((row) => ({ ...row, spaces: byUser.get(row.user_id) ?? 0 }));
}
