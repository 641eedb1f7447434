import { setTimeout as delay } from 'node:timers/promises';

/** Limits the requests to one website. */
export interface Pacer {
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Halves the number of concurrent requests. */
  slowDown(): void;
  /** Counts bytes of a response until the result is called. No request starts while there are too many of them. */
  hold(bytes: number): () => void;
}

/** The bytes of responses that wait for their conversion, or are converted. */
const MAX_HELD = 3 * 1024 * 1024;

/** `delayMs`: between the starts of two requests; if there is one, requests are not concurrent. */
export function createPacer(concurrency: number, delayMs: number, signal: AbortSignal): Pacer {
  const waiting: (() => void)[] = [];
  let places = delayMs > 0 ? 1 : concurrency;
  let running = 0;
  let nextStart = 0;
  let held = 0;

  function admit(): void {
    if (held >= MAX_HELD) return;
    while (running < places && waiting.length > 0) {
      running++;
      waiting.shift()?.();
    }
  }

  async function waitForStart(): Promise<void> {
    const now = performance.now();
    const start = Math.max(now, nextStart);
    nextStart = start + delayMs;
    if (start > now) await delay(start - now, undefined, { signal });
  }

  return {
    async run(task) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        admit();
      });
      try {
        await waitForStart();
        signal.throwIfAborted();
        return await task();
      } finally {
        running--;
        admit();
      }
    },
    slowDown() {
      places = Math.max(1, Math.floor(places / 2));
    },
    hold(bytes) {
      held += bytes;
      return () => {
        held -= bytes;
        admit();
      };
    },
  };
}
