import Type from 'typebox';
import { enqueue, job, type Job, type JobContext } from '../../../platform/jobs/job.ts';
import { performOperation } from './run.ts';
import { claimOperation, deleteEndedOperations, failInterrupted } from './store.ts';

const RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

const Nothing = Type.Object({});

/**
 * Carries out the next operation, if one waits and a place is free. Enqueued when an operation is started and when one
 * ends; the schedule finds operations that were interrupted, such as by the end of the process.
 */
export const runGitOperations: Job<typeof Nothing> = job({
  name: 'git.run',
  input: Nothing,
  cron: '* * * * *',
  run: performNext,
});

async function performNext(ctx: JobContext): Promise<void> {
  await failInterrupted(ctx.db);
  const operation = await claimOperation(ctx.db);
  if (!operation) return;
  const log = ctx.log.child({ gitOperationId: operation.id, attempt: operation.attempt });
  try {
    await performOperation({ ...ctx, log }, operation);
  } finally {
    await enqueue(ctx.db, runGitOperations, {});
  }
}

export const purgeGitOperations = job({
  name: 'git.purge',
  input: Nothing,
  cron: '40 3 * * *',
  async run(ctx) {
    await deleteEndedOperations(ctx.db, new Date(ctx.now().getTime() - RETENTION_MS));
    await ctx.git.removeOldCopies();
  },
});
