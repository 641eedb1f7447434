import { sql } from 'kysely';
import { Gauge, type Metric } from 'prom-client';
import type { Database } from '../database/connection.ts';

interface Counted {
  readonly task: string;
  readonly waiting: number;
  readonly running: number;
  readonly failed: number;
  readonly oldest: number | null;
}

/** `failed`: no attempts are left. `oldest`: since when the first job that could run has waited, in seconds. */
const countJobs = async (db: Database): Promise<readonly Counted[]> =>
  (
    await sql<Counted>`
      select task_identifier as task,
        count(*) filter (where locked_at is null and attempts < max_attempts) as waiting,
        count(*) filter (where locked_at is not null) as running,
        count(*) filter (where locked_at is null and attempts >= max_attempts) as failed,
        extract(epoch from now() - min(run_at) filter
          (where locked_at is null and attempts < max_attempts and run_at <= now()))::float8 as oldest
      from graphile_worker.jobs group by task_identifier`.execute(db)
  ).rows;

const STATES = ['waiting', 'running', 'failed'] as const;

/** Metrics of the jobs of all processes: jobs are rows of the database. Absent while it is unavailable. */
export function jobMetrics(db: Database, tasks: readonly string[]): readonly Metric[] {
  const idle = tasks.map((task) => ({ task, waiting: 0, running: 0, failed: 0, oldest: null }));
  let counting: Promise<readonly Counted[]> | undefined;

  async function countAll(): Promise<readonly Counted[]> {
    try {
      const counted = await countJobs(db);
      return [...idle, ...counted];
    } catch {
      return [];
    } finally {
      counting = undefined;
    }
  }

  // One statement for both.
  const counts = () => (counting ??= countAll());
  return [
    new Gauge({
      name: 'octavo_jobs',
      help: 'Jobs by task and state: waiting (also for another attempt), running, or failed for good',
      labelNames: ['task', 'state'],
      async collect() {
        const counted = await counts();
        this.reset();
        for (const each of counted)
          for (const state of STATES) this.set({ task: each.task, state }, each[state]);
      },
      registers: [],
    }),
    new Gauge({
      name: 'octavo_job_oldest_seconds',
      help: 'How long the oldest job of a task that could run has waited; 0 if none waits',
      labelNames: ['task'],
      async collect() {
        const counted = await counts();
        this.reset();
        for (const { task, oldest } of counted) this.set({ task }, oldest ?? 0);
      },
      registers: [],
    }),
  ];
}
