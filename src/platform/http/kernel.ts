import type { Logger } from 'pino';
import type { Authority } from '../authorise.ts';
import type { Cache } from '../cache.ts';
import type { Caller, Context } from '../context.ts';
import type { Connection, Database } from '../database/connection.ts';
import type { RateLimiter } from './rate-limit.ts';

/** What every request is served with; built once, in `app.ts`. */
export interface Kernel {
  readonly connection: Connection;
  readonly authority: Authority;
  readonly cache: Cache;
  readonly limiter: RateLimiter;
  /** Requests a minute per caller; a tenth of it per address without one; 0: no limit. */
  readonly rateLimit: number;
  readonly context: Omit<Context, 'db' | 'caller' | 'log'>;
  readonly log: Logger;
  /** Notes that a caller was here. */
  used(caller: Caller): void;
}

export function contextOf(kernel: Kernel, db: Database, caller: Caller | undefined, log: Logger): Context {
  return {
    ...kernel.context,
    db,
    log,
    get caller(): Caller {
      if (!caller) throw new Error('this operation is open to anyone and has no caller');
      return caller;
    },
  };
}
