import type { Logger } from 'pino';
import type { Cache } from '../access/cache.ts';
import type { Database } from '../database/connection.ts';
import type { Files } from '../files/index.ts';
import type { Git } from '../git/index.ts';
import type { Keys } from '../keys.ts';
import type { SendMail } from '../mail/smtp.ts';
import type { Outbound } from '../outbound/index.ts';
import type { Pdf } from '../pdf/index.ts';
import type { Threads } from '../threads/index.ts';
import type { FinishedWork } from './deferred-work.ts';

/** The caller. `scopes` null: all the rights of the user. */
export interface Caller {
  readonly id: string;
  readonly tokenId: string;
  readonly scopes: readonly string[] | null;
  readonly displayName: string;
  readonly photoUrl: string | null;
  readonly email: string;
  readonly emailProven: boolean;
}

/** Public URLs of the service. */
export interface Addresses {
  /** The URL of a path: `addresses.of('/v1/orgs/x')`. */
  of(path: string): string;
  /** The path of the public URL: empty, or `/docs`. Links within a page begin with it. */
  readonly base: string;
}

/** What every handler and job gets. `db` is the transaction in everything that writes. */
export interface Context {
  readonly db: Database;
  readonly addresses: Addresses;
  readonly keys: Keys;
  readonly settings: Settings;
  readonly caches: Caches;
  readonly mail: SendMail;
  readonly files: Files;
  readonly outbound: Outbound;
  readonly git: Git;
  readonly pdf: Pdf;
  readonly threads: Threads;
  readonly log: Logger;
  /** Present where `DeferredWork` may be thrown: in transactions that can be restarted. */
  readonly finishedWork?: FinishedWork | undefined;
  /** Present in requests that only read: a transaction must see its own changes. */
  readonly rowCache?: Cache | undefined;
  /** In a transaction, its start time, as `now()` of the database is. */
  readonly now: () => Date;
  /** Throws in an operation that anonymous callers may call. */
  readonly caller: Caller;
}

/** The part of the context that handlers and jobs share; each adds its own database handle, caller and log. */
export type SharedContext = Omit<Context, 'db' | 'caller' | 'log' | 'rowCache'>;

/** Settings of the installation that handlers decide by. The product adds its own by declaration merging. */
export interface Settings {
  /** Whether mail can be sent. */
  readonly mail: boolean;
}

/**
 * Caches of the process. Each domain declares its own beside the function that creates it, by declaration merging;
 * `app.ts` builds them, so that two apps in one process share nothing.
 */
export interface Caches {}
