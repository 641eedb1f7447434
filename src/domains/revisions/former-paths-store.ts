import { sql } from 'kysely';
import { PIPELINED } from '../../platform/database/client.ts';
import type { Database } from '../../platform/database/connection.ts';

/** Of several pages that had a path, it leads to the last one. */
export async function insertFormerPaths(
  db: Database,
  spaceId: string,
  paths: ReadonlyMap<string, string>,
): Promise<void> {
  if (paths.size === 0) return;
  await sql`${PIPELINED}
    insert into former_paths (space_id, path, page_id)
    select ${spaceId}, * from unnest(${[...paths.keys()]}::text[], ${[...paths.values()]}::text[])
    on conflict (space_id, path) do update set page_id = excluded.page_id`.execute(db);
}

/** The pages that had these paths, by path. */
export async function findFormerPaths(
  db: Database,
  spaceId: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('former_paths')
    .select(['path', 'page_id'])
    .where('space_id', '=', spaceId)
    .where('path', '=', sql<string>`any(${[...paths]})`)
    .execute();
  return new Map(rows.map((row) => [row.path, row.page_id]));
}
