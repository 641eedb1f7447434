import { setTimeout as delay } from 'node:timers/promises';

/** Doubles each time, so that a slow machine succeeds at a later attempt. */
const SECONDS = [2, 8, 32];

/**
 * Uses something before it expires, then waits until it has expired. If it expired before `use` had finished, the result
 * is inconclusive, and the attempt is repeated with a longer lifetime.
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
