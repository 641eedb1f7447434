import type { Logger } from 'pino';
import Type from 'typebox';
import type { Database } from '../../platform/database/connection.ts';
import { job } from '../../platform/jobs/job.ts';
import { listExpired, purgeStep } from './deleted-store.ts';
import { foldTallies } from './store.ts';

export const purgeSpaces = job({
  name: 'spaces.purge',
  input: Type.Object({}),
  cron: '*/15 * * * *',
  async run(ctx) {
    const purged = await purgeExpired(ctx.db, ctx.log);
    if (purged > 0) ctx.log.info({ purged }, 'spaces deleted more than 7 days ago were deleted permanently');
  },
});

export const foldSpaceTallies = job({
  name: 'spaces.fold-tallies',
  input: Type.Object({}),
  cron: '* * * * *',
  run: (ctx) => ctx.db.transaction().execute(foldTallies),
});

/** Spaces of one run. The next run continues. */
const MAX_SPACES = 5000;

/**
 * Deletes expired spaces permanently. Each step is a transaction, so that the size of a space does not matter; a space
 * that fails does not keep the others.
 */
export async function purgeExpired(db: Database, log: Pick<Logger, 'error'>): Promise<number> {
  let purged = 0;
  for (const id of await listExpired(db, MAX_SPACES)) {
    try {
      if (await purge(db, id)) purged++;
    } catch (error) {
      log.error({ err: error, spaceId: id }, 'a deleted space could not be deleted permanently');
    }
  }
  return purged;
}

async function purge(db: Database, id: string): Promise<boolean> {
  for (;;) {
    const isGone = await db.transaction().execute((transaction) => purgeStep(transaction, id));
    if (isGone !== false) return isGone === true;
  }
}
