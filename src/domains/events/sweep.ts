import type { Context } from '../../platform/context.ts';
import type { Database } from '../../platform/database/connection.ts';
import { markRead, orderEvents, takeEvents, type EventRow } from './store.ts';

/** Somebody who is told what happened: in order, in batches, each event at least once. */
export interface EventReader {
  readonly name: string;
  read(ctx: ReaderContext, events: readonly EventRow[]): Promise<void>;
}

export type ReaderContext = Omit<Context, 'caller'>;

const BATCH = 500;

/** Tells every reader what is new, and answers how much. A reader that fails is told again, and holds up nobody else. */
export async function sweep(ctx: ReaderContext, readers: readonly EventReader[]): Promise<number> {
  await ctx.db.transaction().execute(orderEvents);
  let told = 0;
  for (const reader of readers) {
    try {
      for (let count = BATCH; count === BATCH; told += count) count = await tell(ctx, reader);
    } catch (error) {
      ctx.log.warn({ err: error, reader: reader.name }, 'a reader of events failed, and is told again');
    }
  }
  return told;
}

/** What a reader does is one transaction with its being told. */
const tell = (ctx: ReaderContext, reader: EventReader): Promise<number> =>
  ctx.db.transaction().execute(async (db: Database) => {
    const events = await takeEvents(db, reader.name, BATCH);
    const last = events.at(-1);
    if (last) {
      await reader.read({ ...ctx, db }, events);
      await markRead(db, reader.name, last.sequence);
    }
    return events.length;
  });
