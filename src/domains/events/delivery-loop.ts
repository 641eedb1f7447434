import { setTimeout as delay } from 'node:timers/promises';
import { deliver, type EventReader, type Failures, type ReaderContext } from './deliver.ts';

/** Pauses between deliveries: while there are events, and while there are none. */
const BUSY_MS = 200;
const IDLE_MS = 1000;

export interface Delivery {
  stop(): Promise<void>;
}

/** Delivers new events to their readers until it is stopped. */
export function startDelivery(ctx: ReaderContext, readers: readonly EventReader[]): Delivery {
  const failures: Failures = new Map();
  const stopping = new AbortController();
  const run = async () => {
    while (!stopping.signal.aborted) {
      const delivered = await deliver(ctx, readers, failures).catch((error: unknown) => {
        ctx.log.warn({ err: error }, 'events could not be processed');
        return 0;
      });
      const pause = delivered > 0 ? BUSY_MS : IDLE_MS;
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
