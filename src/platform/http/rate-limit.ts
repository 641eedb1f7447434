/** Requests per minute by key (a caller, an IP address), per process, in fixed windows. */
export interface RateLimiter {
  take(who: string, limit: number): RateLimit;
}

export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
  /** When the window ends, in epoch seconds. */
  readonly reset: number;
  readonly exceeded: boolean;
}

const WINDOW_MS = 60_000;

export function createRateLimiter(now: () => number = Date.now): RateLimiter {
  let windowEnds = 0;
  let counts = new Map<string, number>();
  return {
    take(who, limit) {
      const at = now();
      if (at >= windowEnds) {
        windowEnds = at - (at % WINDOW_MS) + WINDOW_MS;
        counts = new Map();
      }
      const used = (counts.get(who) ?? 0) + 1;
      counts.set(who, used);
      return {
        limit,
        remaining: Math.max(0, limit - used),
        reset: Math.ceil(windowEnds / 1000),
        exceeded: used > limit,
      };
    },
  };
}
