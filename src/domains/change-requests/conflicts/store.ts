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

/** All open conflicts in their order, or those of some entries. */
export async function listConflicts(
  db: Database,
  requestId: string,
  entries?: readonly string[],
): Promise<ConflictRow[]> {
  const all = conflicts(db, requestId).orderBy('place');
  const ofEntries = sql<boolean>`entry = any(${[...(entries ?? [])]})`;
  return (await (entries ? all.where(ofEntries) : all).execute()).map(read);
}

export async function getConflict(
  db: Database,
  requestId: string,
  id: string,
): Promise<Conflict | undefined> {
  const row = await conflicts(db, requestId).where('id', '=', id).executeTakeFirst();
  return row && read(row).conflict;
}

/** Conflicts of one statement, and their characters: a conflict contains up to three versions of a page. */
const MAX_ROWS = 2000;
const MAX_CHARACTERS = 500_000;

interface Statement {
  readonly ids: string[];
  readonly entries: string[];
  readonly texts: string[];
}

/** The rows of each statement. A text is made when its statement is, so that memory never holds all of them. */
function* inStatements(rows: Iterable<ConflictRow>): Iterable<Statement> {
  let next: Statement = { ids: [], entries: [], texts: [] };
  let length = 0;
  for (const { id, conflict } of rows) {
    const text = JSON.stringify(conflict);
    if (next.ids.length === MAX_ROWS || (next.ids.length > 0 && length + text.length > MAX_CHARACTERS)) {
      yield next;
      [next, length] = [{ ids: [], entries: [], texts: [] }, 0];
    }
    next.ids.push(id);
    next.entries.push(conflict.entry);
    next.texts.push(text);
    length += text.length;
  }
  if (next.ids.length > 0) yield next;
}

/** A text of its own statement is a parameter as it is: an element of an array is escaped, which takes longer. */
const arrayOf = (texts: readonly string[]) =>
  texts.length === 1 ? sql`array[${texts[0]}]::text[]` : sql`${[...texts]}::text[]`;

function* withIds(conflicts: readonly Conflict[]): Iterable<ConflictRow> {
  for (const conflict of conflicts) yield { id: newId(), conflict };
}

export async function insertConflicts(
  db: Database,
  requestId: string,
  fresh: readonly Conflict[],
): Promise<void> {
  for (const { ids, entries, texts } of inStatements(withIds(fresh)))
    await sql`
      insert into change_request_conflicts (id, change_request_id, place, entry, conflict)
      select id, ${requestId}, coalesce((select max(place) from change_request_conflicts
        where change_request_id = ${requestId}), 0) + ordinality, entry, conflict
      from unnest(${arrayOf(ids)}, ${arrayOf(entries)}, ${arrayOf(texts)})
        with ordinality as c (id, entry, conflict, ordinality)`.execute(db);
}

export async function replaceConflicts(db: Database, rows: readonly ConflictRow[]): Promise<void> {
  for (const { ids, texts } of inStatements(rows))
    await sql`
      update change_request_conflicts c set conflict = new.conflict
      from unnest(${arrayOf(ids)}, ${arrayOf(texts)}) as new (id, conflict)
      where c.id = new.id`.execute(db);
}

export async function deleteConflicts(db: Database, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += MAX_ROWS)
    await db
      .deleteFrom('change_request_conflicts')
      .where('id', '=', sql<string>`any(${ids.slice(at, at + MAX_ROWS)})`)
      .execute();
}
