import { sql } from 'kysely';
import type { Database } from '../database/connection.ts';

/** A job whose last attempt failed. Without `nextAttemptAt`, it is not attempted again by itself. */
export interface FailedJob {
  readonly id: string;
  readonly task: string;
  readonly attempts: number;
  readonly error: string;
  readonly failedAt: Date;
  readonly nextAttemptAt: Date | null;
}

/** The longest failed ones first. */
export const listFailedJobs = async (db: Database): Promise<readonly FailedJob[]> =>
  (
    await sql<FailedJob>`
      select id::text, task_identifier as task, attempts, last_error as error, updated_at as "failedAt",
        case when attempts < max_attempts then run_at end as "nextAttemptAt"
      from graphile_worker.jobs
      where last_error is not null and locked_at is null
      order by updated_at, id`.execute(db)
  ).rows;

/** Jobs get all their attempts again. Returns the ids of those that existed and that do not run at the moment. */
export async function retryJobs(db: Database, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id::text from graphile_worker.reschedule_jobs(${[...ids]}::bigint[], run_at => now(), attempts => 0)`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}
