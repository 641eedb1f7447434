import { setImmediate } from 'node:timers/promises';

/** How long work holds the event loop before other requests get their turn. */
const SLICE_MS = 15;

/** Runs work that yields between its steps, so that however long it takes, no step but its longest delays others. */
export async function inSlices<T>(work: Generator<void, T, void>): Promise<T> {
  for (;;) {
    const end = performance.now() + SLICE_MS;
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (performance.now() < end);
    await setImmediate();
  }
}
