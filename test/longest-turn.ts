import { createClock, readClock, startClock } from '../src/platform/threads/thread-clock.ts';

/**
 * The longest turn of the event loop during the work, in milliseconds. CPU time of this thread, where the system tells it:
 * unlike wall time, it does not pass while other processes run.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const clock = createClock();
  startClock(clock);
  const time = (): number => readClock(clock) ?? performance.now();
  let longest = 0;
  let last = time();
  const endTurn = (): void => {
    const now = time();
    longest = Math.max(longest, now - last);
    last = now;
  };
  let isDone = false;
  const watch = (): void => {
    endTurn();
    if (!isDone) setImmediate(watch);
  };
  setImmediate(watch);
  await work();
  isDone = true;
  endTurn();
  return longest;
}

/** A collection of garbage can lengthen any single turn. */
const ATTEMPTS = 5;

/** Linux counts CPU time in ticks of up to 10 ms: a shorter turn may read as none at all. */
const TICK_MS = 10;

/**
 * How many times as long the longest turn of `work` is as that of `baseline`, or as a tick of the clock:
 * the least of some attempts, up to `enough`.
 */
export async function turnRatio(
  work: () => Promise<unknown>,
  baseline: () => Promise<unknown>,
  enough: number,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && least >= enough; attempt++) {
    const base = Math.max(TICK_MS, await longestTurn(baseline));
    least = Math.min(least, (await longestTurn(work)) / base);
  }
  return least;
}
