import type { Context } from '../../platform/api/context.ts';
import { isDatabaseAway, isRetryable, type Database } from '../../platform/database/connection.ts';
import { markRead, orderEvents, takeEvents, type EventRow } from './store.ts';

/** Somebody who is told what happened: in order, in batches, each event at least once. */
export interface EventReader {
  readonly name: string;
  read(ctx: ReaderContext, events: readonly EventRow[]): Promise<void>;
}

export type ReaderContext = Omit<Context, 'caller'>;

const BATCH = 500;
/** An event that a reader fails at so often, alone, is passed over: all that comes after it would wait for ever. */
const MOST_TRIES = 5;

/** Where each reader failed last, and how often in a row. */
const failed = new Map<string, { readonly sequence: number; readonly tries: number }>();

/** Tells every reader what is new, and answers how much. A reader that fails is told again, and holds up nobody else. */
export async function sweep(ctx: ReaderContext, readers: readonly EventReader[]): Promise<number> {
  await ctx.db.transaction().execute(orderEvents);
  let told = 0;
  for (const reader of readers) {
    try {
      for (let count = BATCH; count === BATCH; told += count) count = await tell(ctx, reader, BATCH);
    } catch (error) {
      if (isDatabaseAway(error) || isRetryable(error)) throw error;
      ctx.log.warn(
        { err: error, reader: reader.name },
        'an event handler failed on a batch; retrying the events one by one',
      );
      told += await tellOneByOne(ctx, reader);
    }
  }
  return told;
}

/** What a reader does is one transaction with its being told. */
const tell = (ctx: ReaderContext, reader: EventReader, limit: number): Promise<number> =>
  ctx.db.transaction().execute(async (db: Database) => {
    const events = await takeEvents(db, reader.name, limit);
    const last = events.at(-1);
    if (last) {
      await reader.read({ ...ctx, db }, events);
      await markRead(db, reader.name, last.sequence);
    }
    return events.length;
  });

/** Up to the one that it fails at. */
async function tellOneByOne(ctx: ReaderContext, reader: EventReader): Promise<number> {
  let told = 0;
  try {
    while (told < BATCH && (await tell(ctx, reader, 1)) > 0) told++;
  } catch (error) {
    if (isDatabaseAway(error) || isRetryable(error)) throw error;
    await noteFailure(ctx, reader, error);
  }
  return told;
}

const noteFailure = (ctx: ReaderContext, { name }: EventReader, error: unknown): Promise<void> =>
  ctx.db.transaction().execute(async (db) => {
    const [event] = await takeEvents(db, name, 1);
    if (!event) return;
    const last = failed.get(name);
    const tries = last?.sequence === event.sequence ? last.tries + 1 : 1;
    failed.set(name, { sequence: event.sequence, tries });
    if (tries < MOST_TRIES) return;
    failed.delete(name);
    await markRead(db, name, event.sequence);
    ctx.log.error(
      { err: error, reader: name, event },
      'an event handler failed on this event repeatedly; the event is skipped',
    );
  });
