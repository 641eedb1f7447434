import { sql, type RawBuilder } from 'kysely';
import type { LinkOverlay } from '../link-index/index.ts';

type Sql = RawBuilder<unknown>;

/** `with …`, if there are any. */
export const withTables = (common: readonly Sql[]): Sql =>
  common.length === 0 ? sql`` : sql`with ${sql.join(common)}`;

/** The rows that lists read: those of a space, or what another version of its content makes of them. */
export interface LinkTables {
  /** Common table expressions that the others refer to. */
  readonly common: readonly Sql[];
  /** The targets `t` with a condition; with a limit, the first ones by key. */
  readonly targetsWhere: (condition: Sql, limit?: number) => Sql;
  /** The links `l` with a condition. */
  readonly linksWhere: (condition: Sql) => Sql;
  /** Whether targets have `is_new`. */
  readonly hasOverlay: boolean;
  /** To add to the stored counts. */
  readonly targetCount: number;
  readonly brokenCount: number;
}

const COLUMNS =
  sql.raw(`key, relation, kind, target_space_id, target_id, anchor, url, address, broken, sources,
  checked_at, problem`);

const firstByKey = (limit: number | undefined): Sql =>
  limit === undefined ? sql`` : sql`order by t.key limit ${limit}`;

const storedTables = (spaceId: string): LinkTables => ({
  common: [],
  targetsWhere: (condition, limit) =>
    sql`(select * from link_targets t where t.space_id = ${spaceId} and ${condition} ${firstByKey(limit)})`,
  linksWhere: (condition) => sql`(select * from links l where l.space_id = ${spaceId} and ${condition})`,
  hasOverlay: false,
  targetCount: 0,
  brokenCount: 0,
});

/**
 * Conditions and limits are part of both arms of a union: PostgreSQL uses no index for a condition on the whole that
 * refers to another table, nor for its order.
 */
export function tablesOf(spaceId: string, overlay: LinkOverlay | undefined): LinkTables {
  if (!overlay) return storedTables(spaceId);
  return {
    common: commonTables(overlay),
    targetsWhere: (condition, limit) => sql`(
      (select t.* from (select space_id, ${COLUMNS}, false as is_new from link_targets) t
        where t.space_id = ${spaceId} and t.key not in (select key from replaced_targets) and ${condition}
        ${firstByKey(limit)})
      union all
      (select ${spaceId}::text, t.* from new_targets t where ${condition} ${firstByKey(limit)}))`,
    linksWhere: (condition) => sql`(
      select l.space_id, l.source_id, l.target, l.href from links l
        where l.space_id = ${spaceId} and ${condition}
          and (l.source_id, l.ordinal) not in (select source_id, ordinal from removed_links)
      union all
      select ${spaceId}::text, l.source_id, l.target, l.href from new_links l where ${condition})`,
    hasOverlay: true,
    targetCount: overlay.targetCount,
    brokenCount: overlay.brokenCount,
  };
}

function commonTables({ keys, targets, removed, added }: LinkOverlay): Sql[] {
  const column = <R, K extends keyof R>(rows: readonly R[], name: K): R[K][] => rows.map((row) => row[name]);
  const checkedAt = targets.map(({ checked_at: at }) => at?.toISOString() ?? null);
  return [
    sql`replaced_targets (key) as (select unnest(${[...keys]}::uuid[]))`,
    sql`new_targets (${COLUMNS}, is_new) as (
      select * from unnest(${column(targets, 'key')}::uuid[], ${column(targets, 'relation')}::text[],
        ${column(targets, 'kind')}::text[], ${column(targets, 'target_space_id')}::text[],
        ${column(targets, 'target_id')}::text[], ${column(targets, 'anchor')}::text[],
        ${column(targets, 'url')}::text[], ${column(targets, 'address')}::text[],
        ${column(targets, 'broken')}::boolean[], ${column(targets, 'sources')}::int[], ${checkedAt}::timestamptz[],
        ${column(targets, 'problem')}::text[], ${column(targets, 'is_new')}::boolean[]))`,
    sql`removed_links (source_id, ordinal) as (
      select * from unnest(${column(removed, 'source_id')}::text[], ${column(removed, 'ordinal')}::int[]))`,
    sql`new_links (source_id, target, href) as (
      select * from unnest(${column(added, 'source_id')}::text[], ${column(added, 'key')}::uuid[],
        ${column(added, 'href')}::text[]))`,
  ];
}
