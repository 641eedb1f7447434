import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { tooManyRequests } from '../../api/errors.ts';
import { clientNetwork } from './client-network.ts';

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

/** Callers and addresses of one window. A client has fewer networks than that, and gains nothing by being forgotten. */
export const MAX_COUNTED = 50_000;

export function createRateLimiter(now: () => number = Date.now): RateLimiter {
  let windowEnds = 0;
  const counts = new LRUCache<string, number>({ max: MAX_COUNTED });
  return {
    take(who, limit) {
      const at = now();
      if (at >= windowEnds) {
        windowEnds = at - (at % WINDOW_MS) + WINDOW_MS;
        counts.clear();
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

/** The part of the kernel that rate limits need. */
export interface RateLimits {
  readonly limiter: RateLimiter;
  /** Requests per minute and caller; a tenth of it per IP address for anonymous callers; 0: no limit. */
  readonly rateLimit: number;
}

/** The rate limit of callers without a valid token, by IP address. */
export const limitAddress = (limits: RateLimits, request: FastifyRequest, reply: FastifyReply): void =>
  limit(limits, reply, `address ${clientNetwork(request.ip)}`, Math.ceil(limits.rateLimit / 10));

/** Counted once per request, also if its transaction is retried. */
export function limit(limits: RateLimits, reply: FastifyReply, who: string, perMinute: number): void {
  if (limits.rateLimit === 0 || reply.hasHeader('x-ratelimit-limit')) return;
  const taken = limits.limiter.take(who, perMinute);
  void reply.headers({
    'x-ratelimit-limit': taken.limit,
    'x-ratelimit-remaining': taken.remaining,
    'x-ratelimit-reset': taken.reset,
  });
  if (taken.exceeded) throw tooManyRequests(Math.max(1, taken.reset - Math.floor(Date.now() / 1000)));
}
