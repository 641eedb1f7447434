import { sql } from 'kysely';
import type { Database } from '../../../platform/database/connection.ts';
import { visibleRows } from '../../../platform/database/visible-rows.ts';
import { newId } from '../../../platform/api/ids.ts';
import { fetchPage, type PageRequest } from '../../../platform/api/pagination.ts';
import { insertEvents } from '../../events/index.ts';
import { importRuns, type RunRow, type RunStatus } from '../policy.ts';
import type { RunSource, Skipped } from '../schema.ts';

/** Numbers of pages and files. */
export interface Counts {
  readonly found: number;
  readonly imported: number;
  readonly skipped: number;
}

export interface NewRun {
  readonly spaceId: string;
  readonly changeRequestId: string | undefined;
  readonly pageId: string | undefined;
  readonly userId: string;
  readonly source: RunSource;
}

export async function insertRun(db: Database, run: NewRun): Promise<string> {
  const id = newId();
  await db
    .insertInto('import_runs')
    .values({
      id,
      space_id: run.spaceId,
      change_request_id: run.changeRequestId ?? null,
      page_id: run.pageId ?? null,
      user_id: run.userId,
      source: JSON.stringify(run.source),
      file_keys: run.source.type === 'file' ? run.source.files : [],
    })
    .execute();
  return id;
}

/** Until the transaction ends, no other one counts or starts runs of the organization. */
export async function countUnfinished(db: Database, organizationId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('import runs ' || ${organizationId}, 43))`.execute(
    db,
  );
  const { count } = await db
    .selectFrom('import_runs as run')
    .innerJoin('spaces as s', 's.id', 'run.space_id')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('s.organization_id', '=', organizationId)
    .where('run.status', 'in', ['pending', 'in-progress'])
    .executeTakeFirstOrThrow();
  return count;
}

export const getRun = (db: Database, callerId: string, id: string): Promise<RunRow> =>
  visibleRows(db, importRuns, callerId).selectAll().where('import_run_id', '=', id).executeTakeFirstOrThrow();

export interface RunFilter {
  readonly organizationId: string;
  readonly status?: RunStatus | undefined;
  readonly spaceId?: string | undefined;
}

/** The runs of spaces that the caller may edit, the latest first. */
export function listRuns(db: Database, callerId: string, filter: RunFilter, page: PageRequest) {
  let rows = visibleRows(db, importRuns, callerId)
    .selectAll()
    .where('organization_id', '=', filter.organizationId);
  if (filter.status) rows = rows.where('status', '=', filter.status);
  if (filter.spaceId !== undefined) rows = rows.where('space_id', '=', filter.spaceId);
  return fetchPage(rows, page, {
    by: ['created_at', 'import_run_id'],
    direction: 'desc',
    key: (row) => [row.created_at.toISOString(), row.import_run_id],
  });
}

export interface ImportedPage {
  readonly id: string;
  readonly sourceURL?: string;
}

export interface RunLists {
  readonly pages: readonly ImportedPage[] | null;
  readonly skipped_list: readonly Skipped[] | null;
}

/** The parts of a run that may be long. */
export const getRunLists = (db: Database, id: string): Promise<RunLists> =>
  db
    .selectFrom('import_runs')
    .select(['pages', 'skipped_list'])
    .where('id', '=', id)
    .$castTo<RunLists>()
    .executeTakeFirstOrThrow();

/** False: it has ended already. */
export async function cancelRun(db: Database, id: string): Promise<boolean> {
  const updated = await db
    .updateTable('import_runs')
    .set({ status: 'cancelled', completed_at: sql`now()` })
    .where('id', '=', id)
    .where('status', 'in', ['pending', 'in-progress'])
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

export interface ClaimedRun {
  readonly id: string;
  readonly attempt: number;
  readonly space_id: string;
  readonly change_request_id: string | null;
  readonly page_id: string | null;
  readonly user_id: string | null;
  readonly source: RunSource;
}

/** A run that does not report for this long was interrupted. */
const STALE = sql`interval '2 minutes'`;
const MAX_ATTEMPTS = 5;
/** Runs of all processes at the same time. */
const MAX_RUNNING = 2;

/** Part of a statement that `ended` runs: their events. */
const insertRunEvents = (type: 'import_completed' | 'import_failed') =>
  insertEvents(type, {
    organizationId: sql`s.organization_id`,
    spaceId: sql`s.id`,
    data: {
      importRunId: sql`ended.id`,
      changeRequestId: sql`ended.change_request_id`,
      userId: sql`ended.user_id`,
    },
    from: sql`from ended join spaces s on s.id = ended.space_id`,
  });

/** Fails runs that were interrupted too often: their next attempt would most likely end the process, too. */
export async function failInterrupted(db: Database): Promise<void> {
  const error = `The import was interrupted ${MAX_ATTEMPTS} times. Start it again.`;
  await sql`
    with ended as (
      update import_runs set status = 'failed', completed_at = now(), error = ${error}
      where status = 'in-progress' and attempt >= ${MAX_ATTEMPTS} and seen_at < now() - ${STALE}
      returning *)
    ${insertRunEvents('import_failed')}`.execute(db);
}

/** The next run that waits or was interrupted, of an organization without a running one. Undefined: none, or no place. */
export async function claimRun(db: Database): Promise<ClaimedRun | undefined> {
  return db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('claim import run', 43))`.execute(transaction);
    const { rows } = await sql<ClaimedRun>`
      with running as (
        select s.organization_id from import_runs run join spaces s on s.id = run.space_id
        where run.status = 'in-progress' and run.seen_at >= now() - ${STALE}
      ), next as (
        select run.id from import_runs run join spaces s on s.id = run.space_id
        where (run.status = 'pending' or run.status = 'in-progress' and run.seen_at < now() - ${STALE})
          and run.attempt < ${MAX_ATTEMPTS} and (select count(*) from running) < ${MAX_RUNNING}
          and s.organization_id not in (select organization_id from running)
        order by run.created_at, run.id limit 1
        -- Not one that is being cancelled.
        for update of run skip locked
      )
      update import_runs run set status = 'in-progress', attempt = attempt + 1,
        started_at = coalesce(started_at, now()), seen_at = now()
      from next where run.id = next.id
      returning run.id, run.attempt, run.space_id, run.change_request_id, run.page_id, run.user_id, run.source`.execute(
      transaction,
    );
    return rows[0];
  });
}

/** Only the holder of the latest attempt changes a run, and only until it ends. */
const isHeld = ({ id, attempt }: Pick<ClaimedRun, 'id' | 'attempt'>) =>
  sql<boolean>`id = ${id} and attempt = ${attempt} and status = 'in-progress'`;

/** False: the run was cancelled, or another job has claimed it. */
export async function reportProgress(
  db: Database,
  run: ClaimedRun,
  { found, imported, skipped }: Counts,
): Promise<boolean> {
  const updated = await db
    .updateTable('import_runs')
    .set({ found, imported, skipped, seen_at: sql`now()` })
    .where(isHeld(run))
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

export interface RunResult extends Counts {
  readonly revisionId: string;
  readonly pages: readonly ImportedPage[];
  readonly skippedList: readonly Skipped[];
}

/** Must be called in the transaction of the revision. False: as in `reportProgress`. */
export async function completeRun(db: Database, run: ClaimedRun, result: RunResult): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with ended as (
      update import_runs set status = 'completed', found = ${result.found}, imported = ${result.imported},
        skipped = ${result.skipped}, revision_id = ${result.revisionId}, pages = ${JSON.stringify(result.pages)}::jsonb,
        skipped_list = ${JSON.stringify(result.skippedList)}::jsonb, completed_at = now()
      where ${isHeld(run)} returning *)
    ${insertRunEvents('import_completed')}`.execute(db);
  return numAffectedRows === 1n;
}

export async function failRun(db: Database, run: ClaimedRun, error: string): Promise<void> {
  await sql`
    with ended as (
      update import_runs set status = 'failed', error = ${error}, completed_at = now()
      where ${isHeld(run)} returning *)
    ${insertRunEvents('import_failed')}`.execute(db);
}

export async function deleteEndedRuns(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('import_runs').where('completed_at', '<', before).execute();
}
