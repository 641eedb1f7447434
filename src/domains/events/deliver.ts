import type { Context } from '../../platform/api/context.ts';
import { isDatabaseAway, isRetryable, type Database } from '../../platform/database/connection.ts';
import type { EventRow } from './schema.ts';
import { markRead, orderEvents, takeEvents } from './store.ts';

/** Receives events in order, in batches, each at least once. */
export interface EventReader {
  readonly name: string;
  read(ctx: ReaderContext, events: readonly EventRow[]): Promise<void>;
}

export type ReaderContext = Omit<Context, 'caller'>;

const BATCH = 500;
/** An event that a reader fails at this often, alone, is skipped: otherwise all later events would wait for it. */
const MAX_ATTEMPTS = 5;

/** Where each reader failed last, and how often in a row. */
export type Failures = Map<string, { readonly sequence: number; readonly attempts: number }>;

/** Delivers new events to every reader, and returns how many. A reader that fails is retried, and delays no other. */
export async function deliver(
  ctx: ReaderContext,
  readers: readonly EventReader[],
  failures: Failures,
): Promise<number> {
  await ctx.db.transaction().execute(orderEvents);
  let delivered = 0;
  for (const reader of readers) {
    try {
      for (let count = BATCH; count === BATCH; delivered += count)
        count = await deliverBatch(ctx, reader, BATCH);
    } catch (error) {
      if (isDatabaseAway(error) || isRetryable(error)) throw error;
      ctx.log.warn(
        { err: error, reader: reader.name },
        'an event handler failed on a batch; retrying the events one by one',
      );
      delivered += await deliverOneByOne(ctx, reader, failures);
    }
  }
  return delivered;
}

/** The writes of a reader and its position are one transaction. */
const deliverBatch = (ctx: ReaderContext, reader: EventReader, limit: number): Promise<number> =>
  ctx.db.transaction().execute(async (db: Database) => {
    const events = await takeEvents(db, reader.name, limit);
    const last = events.at(-1);
    if (last) {
      await reader.read({ ...ctx, db }, events);
      await markRead(db, reader.name, last.sequence);
    }
    return events.length;
  });

/** Up to the event that the reader fails at. */
async function deliverOneByOne(ctx: ReaderContext, reader: EventReader, failures: Failures): Promise<number> {
  let delivered = 0;
  try {
    while (delivered < BATCH && (await deliverBatch(ctx, reader, 1)) > 0) delivered++;
  } catch (error) {
    if (isDatabaseAway(error) || isRetryable(error)) throw error;
    await countFailure(ctx, reader, failures, error);
  }
  return delivered;
}

const countFailure = (
  ctx: ReaderContext,
  { name }: EventReader,
  failures: Failures,
  error: unknown,
): Promise<void> =>
  ctx.db.transaction().execute(async (db) => {
    const [event] = await takeEvents(db, name, 1);
    if (!event) return;
    const last = failures.get(name);
    const attempts = last?.sequence === event.sequence ? last.attempts + 1 : 1;
    failures.set(name, { sequence: event.sequence, attempts });
    if (attempts < MAX_ATTEMPTS) return;
    failures.delete(name);
    await markRead(db, name, event.sequence);
    ctx.log.error(
      { err: error, reader: name, event },
      'an event handler failed on this event repeatedly; the event is skipped',
    );
  });
