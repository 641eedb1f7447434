import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  Logger as WorkerLogger,
  parseCronItems,
  run,
  runMigrations,
  type WorkerEvents,
} from 'graphile-worker';
import type { Logger } from 'pino';
import type pg from 'pg';
import { Compile } from 'typebox/compile';
import type { Job, JobContext } from './job.ts';

/** A job that takes longer is released, to be run again. */
const STOP_MS = 5_000;
const RESTART_MS = 1_000;

export interface Worker {
  /** How many jobs are running. */
  running(): number;
  /** Waits for running jobs, up to a limit, and starts no new ones. */
  stop(): Promise<void>;
}

/** Lets others run the jobs that a worker has locked which has ended. */
export const releaseJobs = (pool: pg.Pool, workerId: string): Promise<unknown> =>
  pool.query('select graphile_worker.force_unlock_workers($1)', [[workerId]]);

export const migrateJobs = (pool: pg.Pool): Promise<void> => runMigrations({ pgPool: pool });

/** `onStart`: called with the id under which its jobs are locked, also when it was restarted. */
export async function startWorker(
  pool: pg.Pool,
  jobs: readonly Job[],
  context: JobContext,
  onStart: (id: string) => void = () => undefined,
): Promise<Worker> {
  /** The id of the worker pool, which locks the jobs that it runs. */
  let poolId = '';
  const events: WorkerEvents = new EventEmitter();
  events.on('pool:create', ({ workerPool }) => {
    poolId = workerPool.id;
    onStart(poolId);
  });
  let running = 0;
  events.on('job:start', () => (running += 1));
  events.on('job:complete', () => (running -= 1));
  const start = () =>
    run({
      pgPool: pool,
      events,
      // Completed in batches: one by one, a job whose completion cannot be written would end the process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      noHandleSignals: true,
      // Git operations take up to four places for minutes, imports two, polls, checks of links and webhooks one; one stays free.
      // Not more than the default size of the pool of connections.
      concurrency: 10,
      logger: workerLogger(context.log),
      taskList: Object.fromEntries(
        jobs.map((job) => [job.name, (input: unknown) => perform(job, context, input)]),
      ),
      parsedCronItems: parseCronItems(
        jobs.flatMap((job) => (job.cron ? [{ task: job.name, match: job.cron, identifier: job.name }] : [])),
      ),
    });
  /** Returns whether it succeeded. */
  const release = () =>
    releaseJobs(pool, poolId).then(
      () => true,
      () => false,
    );
  const stopping = new AbortController();
  let runner = await start();
  const supervised = supervise();

  /** The runner stops if the database is lost just as a job ends; it is restarted then. */
  async function supervise(): Promise<void> {
    for (;;) {
      await runner.promise.catch(() => undefined);
      await delay(RESTART_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      // Before the next runner: its pool has another id, and the jobs of this one would stay locked for hours.
      if (await release()) runner = await start().catch(() => runner);
      if (stopping.signal.aborted) await runner.stop().catch(() => undefined);
    }
  }

  return {
    running: () => running,

    async stop() {
      stopping.abort();
      const stopped = runner
        .stop()
        .catch(() => undefined)
        .then(() => supervised)
        .then(() => true);
      if (await Promise.race([stopped, delay(STOP_MS, false)])) return;
      await release();
    },
  };
}

async function perform(job: Job, context: JobContext, input: unknown): Promise<void> {
  const validator = Compile(job.input);
  // A scheduled run carries only the scheduler's own `_cron`.
  const given = validator.Clean(structuredClone(input));
  if (!validator.Check(given)) throw new Error(`${job.name} was enqueued with an invalid input`);
  await job.run({ ...context, log: context.log.child({ job: job.name }) }, given);
}

function workerLogger(log: Logger): WorkerLogger {
  return new WorkerLogger((scope) => (level, message) => {
    const method = level === 'error' ? 'error' : level === 'warning' ? 'warn' : 'debug';
    log[method]({ scope: scope.label, task: scope.taskIdentifier }, message);
  });
}
