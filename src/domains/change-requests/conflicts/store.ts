import { sql } from 'kysely';
import type { Conflict } from '../../../content-engine/merge/index.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { newId } from '../../../platform/ids.ts';
import { fetchPage, type PageRequest } from '../../../platform/pagination.ts';

/** What an update could not decide. */

export interface ConflictRow {
  readonly id: string;
  readonly conflict: Conflict;
}

/** Those that are not resolved, in their order. */
export const pageOfConflicts = (db: Database, id: string, page: PageRequest) =>
  fetchPage(
    db
      .selectFrom('change_request_conflicts')
      .select(['id', 'place', sql<Conflict>`conflict`.as('conflict')])
      .where('change_request_id', '=', id),
    page,
    { by: ['place', 'id'], direction: 'asc', key: (row) => [row.place, row.id] },
  );

/** All of them. */
export async function listConflicts(db: Database, id: string): Promise<ConflictRow[]> {
  const rows = await db
    .selectFrom('change_request_conflicts')
    .select(['id', 'conflict'])
    .where('change_request_id', '=', id)
    .orderBy('place')
    .execute();
  return rows as unknown as ConflictRow[];
}

export async function getConflict(
  db: Database,
  requestId: string,
  id: string,
): Promise<Conflict | undefined> {
  const row = await db
    .selectFrom('change_request_conflicts')
    .select('conflict')
    .where('change_request_id', '=', requestId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.conflict as unknown as Conflict | undefined;
}

export async function insertConflicts(
  db: Database,
  requestId: string,
  conflicts: readonly Conflict[],
): Promise<void> {
  if (conflicts.length === 0) return;
  await sql`
    insert into change_request_conflicts (id, change_request_id, place, conflict)
    select id, ${requestId}, coalesce((select max(place) from change_request_conflicts
      where change_request_id = ${requestId}), 0) + ordinality, conflict::jsonb
    from unnest(${conflicts.map(() => newId())}::text[], ${conflicts.map((each) => JSON.stringify(each))}::text[])
      with ordinality as c (id, conflict, ordinality)`.execute(db);
}

export async function replaceConflict(db: Database, id: string, conflict: Conflict): Promise<void> {
  await db
    .updateTable('change_request_conflicts')
    .set({ conflict: JSON.stringify(conflict) })
    .where('id', '=', id)
    .execute();
}

export async function deleteConflicts(db: Database, ids: readonly string[]): Promise<void> {
  await db
    .deleteFrom('change_request_conflicts')
    .where('id', '=', sql<string>`any(${[...ids]})`)
    .execute();
}
