import Type from 'typebox';
import { enqueue, job, type Job, type JobContext } from '../../../platform/jobs/job.ts';
import { claimCheck, releaseCheck } from '../../link-index/index.ts';
import { checkLinks, type CheckOptions } from './check-links.ts';

/** A check may take hours: after this time, other jobs and checks of other spaces get their turn. */
const TURN_MS = 50_000;

const Nothing = Type.Object({});

/** Works on the next requested check. The schedule finds checks that were interrupted, such as by the end of the process. */
export const checkExternalLinks: Job<typeof Nothing> = job({
  name: 'links.check',
  input: Nothing,
  cron: '* * * * *',
  run: (ctx) => checkNext(ctx, { signal: AbortSignal.timeout(TURN_MS) }),
});

export async function checkNext(ctx: JobContext, options: CheckOptions): Promise<void> {
  const spaceId = await claimCheck(ctx.db);
  if (spaceId === undefined) return;
  const isComplete = await checkLinks(ctx, spaceId, options);
  await releaseCheck(ctx.db, spaceId, isComplete);
  await enqueue(ctx.db, checkExternalLinks, {});
}
