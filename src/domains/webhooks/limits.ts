export const MAX_WEBHOOKS = 50;
export const LOG_DAYS = 30;
/** How long the secret before a rotation signs, too. */
export const ROTATION_HOURS = 24;
/** A subscription without a success for this long is disabled. */
export const MAX_FAILING_DAYS = 5;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * The first retries, in milliseconds: for a receiver that fails now and then, as later events of the resource wait. One that fails
 * every third request fails a delivery ten times with a probability of 1 to 59,000.
 */
export const QUICK_DELAYS: readonly number[] = [100, 100, 200, 200, 400, 400, 800, 800, 800];
/** All retries, over three days. */
export const DELAYS: readonly number[] = [
  ...QUICK_DELAYS,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** After this many failures in a row, of any deliveries, a receiver gets one request at a time, and no quick retries. */
export const MANY_FAILURES = 10;
export const TIMEOUT_MS = 15 * SECOND;

/** Requests at the same time. A receiver that never answers occupies one place for `TIMEOUT_MS`. */
export const MAX_RUNNING_OF_WEBHOOK = 8;
export const MAX_RUNNING_OF_ORGANIZATION = 16;
export const MAX_RUNNING = 64;

/** Attempts that the log keeps of one delivery: a replay adds to those before. */
export const MAX_ATTEMPTS_LOGGED = 30;
