import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import { CONTENT_COLUMNS, type ContentRow } from '../revisions/index.ts';

/** The primary revisions of other spaces. */
export async function listPrimaries(
  db: Database,
  spaceIds: readonly string[],
): Promise<Omit<ContentRow, 'role'>[]> {
  if (spaceIds.length === 0) return [];
  const { rows } = await sql<Omit<ContentRow, 'role'>>`
    select s.organization_id, s.id as space_id, ${sql.raw(CONTENT_COLUMNS)}
    from spaces s join revisions rv on rv.id = s.revision_id
    where s.id = any(${[...spaceIds]}::text[]) and s.deleted_at is null`.execute(db);
  return rows;
}
