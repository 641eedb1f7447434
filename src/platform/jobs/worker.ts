import { setTimeout as delay } from 'node:timers/promises';
import { Logger as WorkerLogger, parseCronItems, run, runMigrations } from 'graphile-worker';
import type { Logger } from 'pino';
import type pg from 'pg';
import { Compile } from 'typebox/compile';
import type { Job, JobContext } from './job.ts';

/** A job that takes longer is given back, to be run again. */
const PATIENCE_MS = 5_000;
const RESTART_MS = 1_000;

export interface Worker {
  /** Lets what is running finish, within reason, and takes nothing new. */
  stop(): Promise<void>;
}

export const migrateJobs = (pool: pg.Pool): Promise<void> => runMigrations({ pgPool: pool });

export async function startWorker(pool: pg.Pool, jobs: readonly Job[], context: JobContext): Promise<Worker> {
  const start = () =>
    run({
      pgPool: pool,
      noHandleSignals: true,
      concurrency: 2,
      logger: workerLogger(context.log),
      taskList: Object.fromEntries(
        jobs.map((job) => [job.name, (input: unknown) => perform(job, context, input)]),
      ),
      parsedCronItems: parseCronItems(
        jobs.flatMap((job) => (job.cron ? [{ task: job.name, match: job.cron, identifier: job.name }] : [])),
      ),
    });
  const stopping = new AbortController();
  let runner = await start();
  const kept = keep();

  /** It gives up when the database goes away just as a job has ended; then it is started again. */
  async function keep(): Promise<void> {
    for (;;) {
      await runner.promise.catch(() => undefined);
      await delay(RESTART_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      runner = await start().catch(() => runner);
      if (stopping.signal.aborted) await runner.stop().catch(() => undefined);
    }
  }

  return {
    async stop() {
      stopping.abort();
      const giveUp = setTimeout(() => void runner.kill().catch(() => undefined), PATIENCE_MS);
      await runner.stop().catch(() => undefined);
      await kept;
      clearTimeout(giveUp);
    },
  };
}

async function perform(job: Job, context: JobContext, input: unknown): Promise<void> {
  const validator = Compile(job.input);
  // A scheduled run carries only the scheduler's own `_cron`.
  const given = validator.Clean(structuredClone(input));
  if (!validator.Check(given)) throw new Error(`${job.name} was enqueued with an input it does not know`);
  await job.run({ ...context, log: context.log.child({ job: job.name }) }, given);
}

function workerLogger(log: Logger): WorkerLogger {
  return new WorkerLogger((scope) => (level, message) => {
    const method = level === 'error' ? 'error' : level === 'warning' ? 'warn' : 'debug';
    log[method]({ scope: scope.label, task: scope.taskIdentifier }, message);
  });
}
