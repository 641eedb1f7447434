import type { Static, TSchema } from 'typebox';
import { sql } from 'kysely';
import type { Context } from '../api/context.ts';
import type { Database } from '../database/connection.ts';

/** The context of a job: without a caller. A job opens its own transactions. */
export type JobContext = Omit<Context, 'caller'>;

/**
 * A background job: one value, as an operation is. It is enqueued in the transaction that causes it and runs at least once,
 * so it must be idempotent.
 */
export interface Job<I extends TSchema = TSchema> {
  readonly name: string;
  readonly input: I;
  /** A crontab schedule, for periodic jobs. */
  readonly cron?: string;
  run(ctx: JobContext, input: Static<I>): Promise<void>;
}

export const job = <I extends TSchema>(declaration: Job<I>): Job<I> => declaration;

export interface Enqueuing {
  /** A job with the same key that waits is replaced. Beside one that runs, another is enqueued. */
  readonly key?: string;
  /** Jobs of one queue run one at a time. */
  readonly queue?: string;
  readonly runAt?: Date;
}

/** `db` is the transaction that causes the job: neither is committed without the other. */
export async function enqueue<I extends TSchema>(
  db: Database,
  what: Job<I>,
  input: Static<I>,
  { key, queue, runAt }: Enqueuing = {},
): Promise<void> {
  await sql`
    select graphile_worker.add_job(${what.name}, ${JSON.stringify(input)}::json, job_key := ${key ?? null}::text,
      queue_name := ${queue ?? null}::text, run_at := ${runAt ?? null}::timestamptz)`.execute(db);
}
