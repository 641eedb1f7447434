import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import { RETENTION } from './policy.ts';

/** Deleted spaces that can no longer be restored. */
export async function listExpired(db: Database, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('spaces')
    .select('id')
    .where('deleted_at', '<=', sql<Date>`now() - ${sql.raw(RETENTION)}`)
    .orderBy('deleted_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** Rows of each table that one step of a purge deletes at most: a second of work. */
const PURGED_ROWS = 5000;

/** One step of deleting a space permanently. False: more steps are needed. Null: it is not due, or gone. */
export async function purgeStep(
  db: Database,
  spaceId: string,
  maxRows = PURGED_ROWS,
): Promise<boolean | null> {
  const { rows } = await sql<{ is_gone: boolean | null }>`
    select purge_space(${spaceId}, ${sql.raw(RETENTION)}, ${maxRows}) as is_gone`.execute(db);
  return rows[0]?.is_gone ?? null;
}
