import { sql } from 'kysely';
import type { Conflict } from '../../../content-engine/merge/index.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { newId } from '../../../platform/api/ids.ts';
import { fetchPage, type Page, type PageRequest } from '../../../platform/api/pagination.ts';

/** Conflicts that updates from the space left open. */

export interface ConflictRow {
  readonly id: string;
  readonly conflict: Conflict;
}

const conflicts = (db: Database, requestId: string) =>
  db
    .selectFrom('change_request_conflicts')
    .select(['id', 'place', 'conflict'])
    .where('change_request_id', '=', requestId);

const read = ({ id, conflict }: { readonly id: string; readonly conflict: string }): ConflictRow => ({
  id,
  conflict: JSON.parse(conflict) as Conflict,
});

/** Open conflicts, in their order. */
export async function pageOfConflicts(
  db: Database,
  requestId: string,
  page: PageRequest,
): Promise<Page<ConflictRow>> {
  const found = await fetchPage(conflicts(db, requestId), page, {
    by: ['place', 'id'],
    direction: 'asc',
    key: (row) => [row.place, row.id],
    size: { db, of: sql`octet_length(conflict)` },
  });
  return { ...found, rows: found.rows.map(read) };
}

export async function listConflicts(db: Database, requestId: string): Promise<ConflictRow[]> {
  return (await conflicts(db, requestId).orderBy('place').execute()).map(read);
}

export async function getConflict(
  db: Database,
  requestId: string,
  id: string,
): Promise<Conflict | undefined> {
  const row = await conflicts(db, requestId).where('id', '=', id).executeTakeFirst();
  return row && read(row).conflict;
}

export async function insertConflicts(
  db: Database,
  requestId: string,
  fresh: readonly Conflict[],
): Promise<void> {
  if (fresh.length === 0) return;
  await sql`
    insert into change_request_conflicts (id, change_request_id, place, conflict)
    select id, ${requestId}, coalesce((select max(place) from change_request_conflicts
      where change_request_id = ${requestId}), 0) + ordinality, conflict
    from unnest(${fresh.map(() => newId())}::text[], ${fresh.map((each) => JSON.stringify(each))}::text[])
      with ordinality as c (id, conflict, ordinality)`.execute(db);
}

export async function replaceConflicts(db: Database, rows: readonly ConflictRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    update change_request_conflicts c set conflict = new.conflict
    from unnest(${rows.map(({ id }) => id)}::text[],
      ${rows.map(({ conflict }) => JSON.stringify(conflict))}::text[]) as new (id, conflict)
    where c.id = new.id`.execute(db);
}

export async function deleteConflicts(db: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .deleteFrom('change_request_conflicts')
    .where('id', '=', sql<string>`any(${[...ids]})`)
    .execute();
}
