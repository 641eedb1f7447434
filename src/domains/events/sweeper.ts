import { setTimeout as delay } from 'node:timers/promises';
import { sweep, type EventReader, type ReaderContext } from './sweep.ts';

/** At most so often, however much happens; less where nothing does. */
const BUSY_MS = 200;
const IDLE_MS = 1000;

export interface Sweeper {
  stop(): Promise<void>;
}

/** Tells the readers of events what is new, until it is stopped. */
export function startSweeper(ctx: ReaderContext, readers: readonly EventReader[]): Sweeper {
  const stopping = new AbortController();
  const run = async () => {
    while (!stopping.signal.aborted) {
      const told = await sweep(ctx, readers).catch((error: unknown) => {
        ctx.log.warn({ err: error }, 'events could not be processed');
        return 0;
      });
      const pause = told > 0 ? BUSY_MS : IDLE_MS;
      await delay(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
