import { sql, type RawBuilder } from 'kysely';
import type { LinkOverlay } from '../../link-index/index.ts';

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
  /** Links without those that the other version adds. */
  readonly remainingLinksWhere: (condition: Sql) => Sql;
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

const storedTables = (spaceId: string): LinkTables => {
  const linksWhere = (condition: Sql) =>
    sql`(select * from links l where l.space_id = ${spaceId} and ${condition})`;
  return {
    common: [],
    targetsWhere: (condition, limit) =>
      sql`(select * from link_targets t where t.space_id = ${spaceId} and ${condition} ${firstByKey(limit)})`,
    linksWhere,
    remainingLinksWhere: linksWhere,
    hasOverlay: false,
    targetCount: 0,
    brokenCount: 0,
  };
};

/**
 * Conditions and limits are part of both arms of a union: PostgreSQL uses no index for a condition on the whole that
 * refers to another table, nor for its order.
 */
export function tablesOf(spaceId: string, overlay: LinkOverlay | undefined): LinkTables {
  if (!overlay) return storedTables(spaceId);
  const remainingLinksWhere = (condition: Sql) => sql`(
    select l.space_id, l.source_id, l.target, l.href from links l
    where l.space_id = ${spaceId} and ${condition}
      and (l.source_id, l.ordinal) not in (select source_id, ordinal from removed_links))`;
  return {
    common: commonTables(overlay),
    targetsWhere: (condition, limit) => sql`(
      (select t.* from (select space_id, ${COLUMNS}, false as is_new from link_targets) t
        where t.space_id = ${spaceId} and t.key not in (select key from replaced_targets) and ${condition}
        ${firstByKey(limit)})
      union all
      (select ${spaceId}::text, t.* from new_targets t where ${condition} ${firstByKey(limit)}))`,
    remainingLinksWhere,
    linksWhere: (condition) => sql`(
      select * from ${remainingLinksWhere(condition)} l
      union all
      select ${spaceId}::text, l.source_id, l.target, l.href from new_links l where ${condition})`,
    hasOverlay: true,
    targetCount: overlay.targetCount,
    brokenCount: overlay.brokenCount,
  };
}

/** PostgreSQL refuses half a character in JSON. */
const wellFormed = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value;

const asJson = (rows: readonly object[]): string => JSON.stringify(rows, wellFormed);

function commonTables({ keys, targets, removed, added }: LinkOverlay): Sql[] {
  const newTargets = asJson(targets);
  const removedLinks = asJson(removed.map(({ source_id, ordinal }) => ({ source_id, ordinal })));
  const newLinks = asJson(added.map(({ source_id, key, href }) => ({ source_id, target: key, href })));
  return [
    sql`replaced_targets (key) as (select unnest(${[...keys]}::uuid[]))`,
    sql`new_targets as materialized (
      select * from json_to_recordset(${newTargets}::json) as (key uuid, relation text, kind text,
        target_space_id text, target_id text, anchor text, url text, address text, broken boolean, sources int,
        checked_at timestamptz, problem text, is_new boolean))`,
    sql`removed_links as materialized (
      select * from json_to_recordset(${removedLinks}::json) as (source_id text, ordinal int))`,
    sql`new_links as materialized (
      select * from json_to_recordset(${newLinks}::json) as (source_id text, target uuid, href text))`,
  ];
}
