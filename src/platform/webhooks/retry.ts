const DAY_MS = 24 * 60 * 60 * 1000;

/** Many deliveries that failed together are not repeated together. */
const JITTER = 0.1;

/**
 * How long to wait after this number of failures, at least as long as the receiver asked for, and at most a day. Undefined:
 * all delays were used.
 */
export function retryDelayMs(
  delays: readonly number[],
  failures: number,
  retryAfterMs = 0,
): number | undefined {
  const delay = delays[failures - 1];
  if (delay === undefined) return undefined;
  const jittered = delay * (1 - JITTER + 2 * JITTER * Math.random());
  return Math.min(Math.max(jittered, retryAfterMs), Math.max(DAY_MS, jittered));
}

/** `Retry-After` in seconds or as a date. Undefined: absent, unreadable, or in the past. */
export function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return ms > 0 ? ms : undefined;
}
