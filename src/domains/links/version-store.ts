import { sql, type RawBuilder } from 'kysely';
import type { LinkOverlay } from '../link-index/index.ts';

/** The tables that lists read: those of a space, or what another version of its content makes of them. */
export interface LinkTables {
  readonly with: RawBuilder<unknown>;
  readonly targets: RawBuilder<unknown>;
  readonly links: RawBuilder<unknown>;
  /** Whether targets have `is_new`. */
  readonly hasOverlay: boolean;
  /** To add to the stored counts. */
  readonly targetCount: number;
  readonly brokenCount: number;
}

const STORED: LinkTables = {
  with: sql``,
  targets: sql`link_targets`,
  links: sql`links`,
  hasOverlay: false,
  targetCount: 0,
  brokenCount: 0,
};

const COLUMNS =
  sql.raw(`key, relation, kind, target_space_id, target_id, anchor, url, address, broken, sources,
  checked_at, problem`);

/** Without an overlay, statements are those of the space alone: a union would cost them their plan. */
export function tablesOf(spaceId: string, overlay: LinkOverlay | undefined): LinkTables {
  if (!overlay) return STORED;
  return {
    with: commonTables(overlay),
    targets: sql`(
      select space_id, ${COLUMNS}, false as is_new from link_targets
        where space_id = ${spaceId} and key not in (select key from replaced_targets)
      union all select ${spaceId}::text, ${COLUMNS}, is_new from new_targets)`,
    links: sql`(
      select space_id, source_id, target, href from links
        where space_id = ${spaceId} and (source_id, ordinal) not in (select source_id, ordinal from removed_links)
      union all select ${spaceId}::text, source_id, target, href from new_links)`,
    hasOverlay: true,
    targetCount: overlay.targetCount,
    brokenCount: overlay.brokenCount,
  };
}

function commonTables({ keys, targets, removed, added }: LinkOverlay): RawBuilder<unknown> {
  const column = <R, K extends keyof R>(rows: readonly R[], name: K): R[K][] => rows.map((row) => row[name]);
  const checkedAt = targets.map(({ checked_at: at }) => at?.toISOString() ?? null);
  return sql`
    with replaced_targets (key) as (select unnest(${[...keys]}::uuid[])),
    new_targets (${COLUMNS}, is_new) as (
      select * from unnest(${column(targets, 'key')}::uuid[], ${column(targets, 'relation')}::text[],
        ${column(targets, 'kind')}::text[], ${column(targets, 'target_space_id')}::text[],
        ${column(targets, 'target_id')}::text[], ${column(targets, 'anchor')}::text[],
        ${column(targets, 'url')}::text[], ${column(targets, 'address')}::text[],
        ${column(targets, 'broken')}::boolean[], ${column(targets, 'sources')}::int[], ${checkedAt}::timestamptz[],
        ${column(targets, 'problem')}::text[], ${column(targets, 'is_new')}::boolean[])),
    removed_links (source_id, ordinal) as (
      select * from unnest(${column(removed, 'source_id')}::text[], ${column(removed, 'ordinal')}::int[])),
    new_links (source_id, target, href) as (
      select * from unnest(${column(added, 'source_id')}::text[], ${column(added, 'key')}::uuid[],
        ${column(added, 'href')}::text[]))`;
}
