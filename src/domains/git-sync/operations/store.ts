import { sql } from 'kysely';
import type { Database } from '../../../platform/database/connection.ts';
import { visibleRows } from '../../../platform/database/visible-rows.ts';
import { newId } from '../../../platform/api/ids.ts';
import { fetchPage, type PageRequest } from '../../../platform/api/pagination.ts';
import {
  gitOperations,
  type Cause,
  type Direction,
  type GitOperationRow,
  type GitRequest,
  type OperationState,
  type Stage,
} from '../policy.ts';
import type { LogEntry } from '../schema.ts';

export interface NewOperation {
  readonly spaceId: string;
  readonly userId: string | null;
  readonly direction: Direction;
  readonly cause: Cause;
  readonly request: GitRequest;
  /** Sealed. */
  readonly credential: Buffer | undefined;
  readonly orderedAt: Date;
}

/** At most one export of new content waits at a time: it exports what the space contains when it runs. */
export async function insertOperation(db: Database, operation: NewOperation): Promise<void> {
  await db
    .insertInto('git_operations')
    .values({
      id: newId(),
      space_id: operation.spaceId,
      user_id: operation.userId,
      direction: operation.direction,
      cause: operation.cause,
      request: JSON.stringify(operation.request),
      credential: operation.credential ?? null,
      ordered_at: operation.orderedAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function countUnfinished(db: Database, spaceId: string): Promise<number> {
  const { count } = await db
    .selectFrom('git_operations')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('space_id', '=', spaceId)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirstOrThrow();
  return count;
}

export interface OperationFilter {
  readonly spaceId: string;
  readonly state?: OperationState | undefined;
  readonly direction?: Direction | undefined;
}

/** The latest first. */
export function listOperations(db: Database, callerId: string, filter: OperationFilter, page: PageRequest) {
  let rows = visibleRows(db, gitOperations, callerId).selectAll().where('space_id', '=', filter.spaceId);
  if (filter.state) rows = rows.where('state', '=', filter.state);
  if (filter.direction) rows = rows.where('direction', '=', filter.direction);
  return fetchPage(rows, page, {
    by: ['created_at', 'git_operation_id'],
    direction: 'desc',
    key: (row) => [row.created_at.toISOString(), row.git_operation_id],
  });
}

export const findLastOperation = (
  db: Database,
  callerId: string,
  spaceId: string,
): Promise<GitOperationRow | undefined> =>
  visibleRows(db, gitOperations, callerId)
    .selectAll()
    .where('space_id', '=', spaceId)
    .orderBy('created_at', 'desc')
    .orderBy('git_operation_id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** The part of an operation that may be long. */
export async function getLog(db: Database, id: string): Promise<readonly LogEntry[]> {
  const { log } = await db
    .selectFrom('git_operations')
    .select('log')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return (log as readonly LogEntry[] | null) ?? [];
}

export interface ClaimedOperation {
  readonly id: string;
  readonly attempt: number;
  readonly organization_id: string;
  readonly space_id: string;
  readonly user_id: string | null;
  readonly direction: Direction;
  readonly cause: Cause;
  readonly request: GitRequest;
  readonly credential: Buffer | null;
  readonly ordered_at: Date;
}

/** An operation that does not report for this long was interrupted. */
const STALE = sql`interval '30 seconds'`;
const MAX_ATTEMPTS = 3;
/** Operations of all processes at the same time. */
const MAX_RUNNING = 4;
/** Operations of one organization, or one if that would take the last place: remotes that stall must not hold all places. */
const MAX_OF_ORGANIZATION = 2;

/** Fails operations that were interrupted too often: their next attempt would most likely end the process, too. */
export async function failInterrupted(db: Database): Promise<void> {
  await db
    .updateTable('git_operations')
    .set({
      state: 'failure',
      credential: null,
      completed_at: sql`now()`,
      error: `The operation was interrupted ${MAX_ATTEMPTS} times. Start it again.`,
    })
    .where('state', '=', 'running')
    .where('attempt', '>=', MAX_ATTEMPTS)
    .where('seen_at', '<', sql<Date>`now() - ${STALE}`)
    .execute();
}

/** The next operation that waits or was interrupted, of a space without a running one. Undefined: none, or no place. */
export async function claimOperation(db: Database): Promise<ClaimedOperation | undefined> {
  return db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('claim git operation', 43))`.execute(transaction);
    const { rows } = await sql<ClaimedOperation>`
      with running as (
        select s.organization_id from git_operations op join spaces s on s.id = op.space_id
        where op.state = 'running' and op.seen_at >= now() - ${STALE}
      ), next as (
        select op.id, s.organization_id from git_operations op join spaces s on s.id = op.space_id and s.deleted_at is null
        where (op.state = 'running' and op.seen_at < now() - ${STALE} or op.state = 'queued'
            and not exists (select from git_operations other where other.space_id = op.space_id and other.state = 'running'))
          and op.attempt < ${MAX_ATTEMPTS} and (select count(*) from running) < ${MAX_RUNNING}
          and (select count(*) from running r where r.organization_id = s.organization_id)
            < case when (select count(*) from running) < ${MAX_RUNNING} - 1 then ${MAX_OF_ORGANIZATION}::int else 1 end
        order by op.state = 'queued', s.organization_id in (select organization_id from running), op.ordered_at, op.id
        limit 1
        for update of op skip locked
      )
      update git_operations op set state = 'running', attempt = attempt + 1, stage = 'repo_fetch',
        started_at = coalesce(started_at, now()), seen_at = now()
      from next where op.id = next.id
      returning op.id, op.attempt, next.organization_id, op.space_id, op.user_id, op.direction, op.cause, op.request, op.credential,
        op.ordered_at`.execute(transaction);
    return rows[0];
  });
}

type Held = Pick<ClaimedOperation, 'id' | 'attempt'>;

/** Only the holder of the latest attempt may change an operation, until it ends. */
const held = (db: Database, { id, attempt }: Held) =>
  db
    .updateTable('git_operations')
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('state', '=', 'running');

export interface Progress {
  readonly stage: Stage;
  readonly dispatched: number;
  readonly completed: number;
}

/** False: another job has claimed the operation, or its space was deleted. It goes on if the space is restored. */
export async function reportProgress(db: Database, operation: Held, progress: Progress): Promise<boolean> {
  const { stage, dispatched, completed } = progress;
  const updated = await held(db, operation)
    .where(sql<boolean>`exists (select from spaces s where s.id = space_id and s.deleted_at is null)`)
    .set({ stage, dispatched_tasks: dispatched, completed_tasks: completed, seen_at: sql`now()` })
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

export interface Outcome extends Progress {
  readonly state: 'success' | 'failure' | 'skipped';
  readonly log: readonly LogEntry[];
  readonly commit?: string | undefined;
  readonly revisionId?: string | undefined;
  readonly changeRequestId?: string | undefined;
  readonly error?: string | undefined;
}

/** Must be called in the transaction of what it did. Deletes the credential. False: as in `reportProgress`. */
export async function endOperation(db: Database, operation: Held, outcome: Outcome): Promise<boolean> {
  const updated = await held(db, operation)
    .set({
      state: outcome.state,
      stage: outcome.stage,
      dispatched_tasks: outcome.dispatched,
      completed_tasks: outcome.completed,
      log: JSON.stringify(outcome.log),
      commit_id: outcome.commit ?? null,
      revision_id: outcome.revisionId ?? null,
      change_request_id: outcome.changeRequestId ?? null,
      error: outcome.error ?? null,
      credential: null,
      seen_at: sql`now()`,
      // `now()` is the start of the transaction, which publishes for seconds.
      completed_at: sql`clock_timestamp()`,
    })
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

export async function deleteEndedOperations(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('git_operations').where('completed_at', '<', before).execute();
}
