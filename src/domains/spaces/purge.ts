import type { Logger } from 'pino';
import type { Database } from '../../platform/database/connection.ts';
import { listExpired, purgeStep } from './purge-store.ts';

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
