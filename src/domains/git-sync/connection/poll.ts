import Type from 'typebox';
import { GitError } from '../../../platform/git/index.ts';
import { job, type JobContext } from '../../../platform/jobs/job.ts';
import { claimDue, endPoll, type ConnectionRow } from './connection-store.ts';
import { openCredential } from '../credentials.ts';
import { startConnected } from './start-connected.ts';
import { findState } from '../operations/state-store.ts';

/** A remote answers this question within a second, or has a problem. */
const POLL_MS = 10_000;
/** After this long, what is due waits for the next run of the job. */
const TURN_MS = 45_000;

/** Asks connected repositories without a webhook for new commits. */
export const pollRepositories = job({
  name: 'git.poll',
  input: Type.Object({}),
  cron: '* * * * *',
  async run(ctx) {
    const end = performance.now() + TURN_MS;
    const polls = new Set<Promise<void>>();
    for (;;) {
      const due = performance.now() < end ? await claimDue(ctx.db) : [];
      for (const connection of due) {
        const polled = poll(ctx, connection)
          .catch((error: unknown) =>
            ctx.log.error({ err: error, spaceId: connection.space_id }, 'a poll failed'),
          )
          .finally(() => polls.delete(polled));
        polls.add(polled);
      }
      if (polls.size === 0) return;
      await Promise.race(polls);
    }
  },
});

async function poll(ctx: JobContext, connection: ConnectionRow): Promise<void> {
  try {
    const head = await findHead(ctx, connection);
    const state = await findState(ctx.db, connection.space_id, connection);
    const isChanged = head !== undefined && ![state?.commit, state?.pending?.commit].includes(head);
    await ctx.db.transaction().execute(async (db) => {
      await endPoll(db, connection, { isChanged });
      if (isChanged)
        await startConnected(db, connection, { direction: 'import', cause: 'poll', now: ctx.now() });
    });
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
    if (!(error instanceof GitError) && !isTimeout) throw error;
    await endPoll(ctx.db, connection, { isChanged: false, problem: error.message });
  }
}

function findHead(ctx: JobContext, { url, ref, credential: sealed }: ConnectionRow) {
  const credential = openCredential(ctx.keys, sealed);
  return ctx.git.findRemoteCommit(
    { url, ...(credential ? { credential } : {}) },
    ref,
    AbortSignal.timeout(POLL_MS),
  );
}
