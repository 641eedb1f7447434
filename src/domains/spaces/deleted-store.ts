import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import { nearestDefault, SPACE } from '../access/index.ts';
import { RETENTION } from './policy.ts';

/** False where it was deleted already. */
export async function markDeleted(db: Database, id: string): Promise<boolean> {
  const deleted = await db
    .updateTable('spaces')
    .set({ deleted_at: sql`now()`, version: sql`version + 1` })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return deleted.numUpdatedRows === 1n;
}

/**
 * Deletes the spaces of deleted collections; restored, they are at the root. An inherited default becomes their own, so
 * that the content of a restricted collection does not become visible to all members.
 */
export async function deleteToRoot(
  db: Database,
  ids: readonly string[],
  positions: readonly string[],
): Promise<void> {
  await sql`
    update spaces gone set parent_id = null, position = root.position, version = gone.version + 1,
      deleted_at = coalesce(gone.deleted_at, now()),
      default_inherits = gone.default_inherits and above.is_set is null,
      default_level = case when gone.default_inherits then above.default_level else gone.default_level end
    from unnest(${[...ids]}::text[], ${[...positions]}::text[]) as root (id, position)
    join spaces s on s.id = root.id
    left join collections c on c.id = s.parent_id
    left join lateral (${sql.raw(nearestDefault(SPACE))}) above on s.default_inherits
    where gone.id = root.id`.execute(db);
}

/**
 * Restores a space that is not purged yet. Only this query decides whether it is too late; the purge uses the opposite
 * condition. Where another request was faster, no row is found, and the operation is retried.
 */
export async function restore(db: Database, id: string): Promise<void> {
  await db
    .updateTable('spaces')
    .set({ deleted_at: null, version: sql`version + 1` })
    .where('id', '=', id)
    .where('deleted_at', '>', sql<Date>`now() - ${sql.raw(RETENTION)}`)
    .returning('id')
    .executeTakeFirstOrThrow();
}

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
