import { sql } from 'kysely';
import type { Database } from '../../../platform/database/connection.ts';
import type { LinkOverlay } from '../../link-index/index.ts';
import { tablesOf, withTables } from './version-store.ts';

/** The spaces, besides the entry's own, with links to an entry. */
export async function listLinkingSpaces(db: Database, spaceId: string, entryId: string): Promise<string[]> {
  const { rows } = await sql<{ space_id: string }>`
    select distinct space_id from link_targets
    where target_space_id = ${spaceId} and target_id = ${entryId}
      and kind in ('page', 'file', 'reusable-content')`.execute(db);
  return rows.map((row) => row.space_id);
}

export interface BacklinkRow {
  /** 0: in the space of the entry; these come first. */
  readonly is_other: number;
  readonly space_id: string;
  readonly source_id: string;
}

/** The sources of links to an entry, in these spaces and its own; one more than `limit`. */
export async function listSources(
  db: Database,
  entry: { readonly spaceId: string; readonly kind: string; readonly id: string },
  spaces: readonly string[],
  after: readonly (string | number)[] | undefined,
  limit: number,
  overlay?: LinkOverlay,
): Promise<{ readonly rows: BacklinkRow[]; readonly count: number }> {
  const { spaceId, kind, id } = entry;
  const tables = tablesOf(spaceId, overlay);
  const others = spaces.filter((space) => space !== spaceId);
  // A link of the space itself may name it, too.
  const all = sql`
    select distinct 0 as is_other, l.space_id, l.source_id
    from ${tables.targetsWhere(sql`t.kind = ${kind} and t.target_id = ${id}
      and (t.target_space_id is null or t.target_space_id = ${spaceId})`)} t
    cross join lateral ${tables.linksWhere(sql`l.target = t.key`)} l
    union all
    select distinct 1, l.space_id, l.source_id
    from link_targets t join links l on l.space_id = t.space_id and l.target = t.key
    where t.space_id = any(${others}::text[]) and t.kind = ${kind} and t.target_id = ${id}
      and t.target_space_id = ${spaceId}`;
  const [isOther = -1, space = '', source = ''] = after ?? [];
  const { rows } = await sql<{ readonly rows: BacklinkRow[]; readonly count: number }>`
    ${withTables(tables.common)}
    select page.* from (
      with sources as (${all})
      select (select count(*)::int from sources) as count, coalesce((
        select json_agg(source order by is_other, space_id, source_id) from (
          select * from sources
          where (is_other, space_id, source_id) > (${isOther}::int, ${space}::text, ${source}::text)
          order by is_other, space_id, source_id limit ${limit}) source), '[]') as rows) page`.execute(db);
  return rows[0] ?? { rows: [], count: 0 };
}
