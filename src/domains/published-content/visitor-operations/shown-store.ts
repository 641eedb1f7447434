import { sql } from 'kysely';
import type { Database } from '../../../platform/database/connection.ts';

/** A reference of a page: to a file of the requested space, or to reusable content, which may show one. */
export interface ShownRow {
  readonly space_id: string;
  readonly source_id: string;
  readonly kind: 'file' | 'reusable-content';
  readonly target_id: string;
  /** True for the cover, which no condition hides. */
  readonly is_cover: boolean;
}

/** Reads the index of the links of the published revisions. */
export async function listShown(
  db: Database,
  spaceIds: readonly string[],
  filesOf: string,
): Promise<readonly ShownRow[]> {
  const { rows } = await sql<ShownRow>`
    select l.space_id, l.source_id, t.kind, t.target_id, bool_or(l.ordinal < 0) as is_cover
    from unnest(${[...spaceIds]}::text[]) asked (id)
    cross join lateral (
      select * from link_targets t where t.space_id = asked.id and t.kind in ('file', 'reusable-content')
        and (t.kind <> 'file' or coalesce(t.target_space_id, t.space_id) = ${filesOf}) offset 0) t
    cross join lateral (
      select * from links l where l.space_id = t.space_id and l.target = t.key offset 0) l
    group by 1, 2, 3, 4 order by 1, 2`.execute(db);
  return rows;
}
