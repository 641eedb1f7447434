import { setTimeout as delay } from 'node:timers/promises';

/** Twice as long each time: a machine that is too slow for the first may do it in the next. */
const SECONDS = [2, 8, 32];

/**
 * Uses something before the moment it expires, then waits for that moment. Where the machine was too slow, and time was
 * up before `use` was done, what it saw says nothing: it is done again with more time.
 */
export async function whileTimeIsLeft<T>(use: (expires: Date) => Promise<T>): Promise<T> {
  for (const seconds of SECONDS) {
    const expires = new Date(Date.now() + seconds * 1000);
    const [outcome] = await Promise.allSettled([use(expires)]);
    if (Date.now() >= expires.getTime()) continue;
    if (outcome.status === 'rejected') throw outcome.reason;
    await delay(expires.getTime() - Date.now() + 100);
    return outcome.value;
  }
  throw new Error(`${SECONDS.at(-1)} s were not enough on this machine`);
}
