import Type from 'typebox';
import { enqueue, job, type Job, type JobContext } from '../../../platform/jobs/job.ts';
import { performRun } from './run.ts';
import { claimRun, deleteEndedRuns, failInterrupted } from './store.ts';

const RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

const Nothing = Type.Object({});

/**
 * Performs the next run, if a place is free. Enqueued when a run is started and when one ends; the schedule finds runs
 * that were interrupted, such as by the end of the process.
 */
export const runImports: Job<typeof Nothing> = job({
  name: 'imports.run',
  input: Nothing,
  cron: '* * * * *',
  run: performNext,
});

async function performNext(ctx: JobContext): Promise<void> {
  await failInterrupted(ctx.db);
  const run = await claimRun(ctx.db);
  if (!run) return;
  const log = ctx.log.child({ importRunId: run.id, attempt: run.attempt });
  try {
    await performRun({ ...ctx, log }, run);
  } finally {
    await enqueue(ctx.db, runImports, {});
  }
}

export const purgeImportRuns = job({
  name: 'imports.purge',
  input: Nothing,
  cron: '50 3 * * *',
  run: (ctx) => deleteEndedRuns(ctx.db, new Date(ctx.now().getTime() - RETENTION_MS)),
});
