import type { Logger } from 'pino';
import { isDatabaseAway, type Database } from '../../platform/database/connection.ts';
import { addFeedback, addSearches, addViews } from './flush-store.ts';
import { MAX_PORTION } from './limits.ts';
import type { InsightsBuffer } from './record.ts';

const FLUSH_EVERY_MS = 5000;

/** The entries in portions, the largest counts first: beyond a limit, others are not stored. They are no longer in the buffer. */
function take<T>(entries: Map<string, T>, countOf: (entry: T) => number = () => 0): T[][] {
  const taken = [...entries.values()].toSorted((a, b) => countOf(b) - countOf(a));
  entries.clear();
  const portions: T[][] = [];
  for (let at = 0; at < taken.length; at += MAX_PORTION) portions.push(taken.slice(at, at + MAX_PORTION));
  return portions;
}

/**
 * Writes what waits. Each portion is a transaction of its own, so that one that fails stops no other. None is written
 * again: whether a write took effect may be unknown, and no count may be added twice.
 */
export async function flushInsights(db: Database, buffer: InsightsBuffer): Promise<void> {
  if (buffer.isEmpty) return;
  const writes = [
    ...take(buffer.views, ({ views }) => views).map((portion) => () => addViews(db, portion)),
    ...take(buffer.searches, ({ searches }) => searches).map((portion) => () => addSearches(db, portion)),
    ...take(buffer.feedback).map((portion) => () => addFeedback(db, portion)),
  ];
  const errors: unknown[] = [];
  for (const write of writes) {
    try {
      await write();
    } catch (error) {
      // The others would wait for the same database, one after the other.
      if (isDatabaseAway(error)) throw error;
      errors.push(error);
    }
  }
  if (errors.length > 0)
    throw new AggregateError(errors, `${errors.length} of ${writes.length} writes failed`);
}

/** Writes periodically. Counts that cannot be written are lost: no reader waits for them. */
export function startFlushing(db: Database, buffer: InsightsBuffer, log: Logger) {
  let last: Promise<void> = Promise.resolve();
  let isFlushing = false;
  const flush = async () => {
    isFlushing = true;
    try {
      await flushInsights(db, buffer);
    } catch (error) {
      log.warn({ err: error }, 'counts of readers could not be written');
    } finally {
      isFlushing = false;
    }
  };
  // While the database is slow, counts wait in the buffer, which is bounded.
  const timer = setInterval(() => {
    if (!isFlushing) last = flush();
  }, FLUSH_EVERY_MS).unref();
  return {
    async stop() {
      clearInterval(timer);
      await last;
      await flush();
    },
  };
}
