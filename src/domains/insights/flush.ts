import type { Logger } from 'pino';
import type { Database } from '../../platform/database/connection.ts';
import type { InsightsBuffer } from './record.ts';
import { addFeedback, addSearches, addViews } from './store.ts';

const FLUSH_EVERY_MS = 5000;

/** The entries, which are no longer in the buffer. */
function take<T>(entries: Map<string, T>): T[] {
  const taken = [...entries.values()];
  entries.clear();
  return taken;
}

/** Writes what waits, in one transaction. */
export async function flushInsights(db: Database, buffer: InsightsBuffer): Promise<void> {
  if (buffer.isEmpty) return;
  const [views, searches, feedback] = [take(buffer.views), take(buffer.searches), take(buffer.feedback)];
  await db.transaction().execute(async (transaction) => {
    await addViews(transaction, views);
    await addSearches(transaction, searches);
    await addFeedback(transaction, feedback);
  });
}

/** Writes periodically. Counts that cannot be written are lost: no reader waits for them. */
export function startFlushing(db: Database, buffer: InsightsBuffer, log: Logger) {
  const flush = () =>
    flushInsights(db, buffer).catch((error: unknown) =>
      log.warn({ err: error }, 'counts of readers could not be written'),
    );
  const timer = setInterval(() => void flush(), FLUSH_EVERY_MS).unref();
  return {
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}
