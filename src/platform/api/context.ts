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

/** The dependencies of every handler and job. `db` is the transaction in everything that writes. */
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
  /** Whether this process accepts connections, and leaves what is large to another one (`too-large-here.ts`). */
  readonly isFront: boolean;
  readonly log: Logger;
  /** Present in requests that only read: a transaction must see its own changes. */
  readonly rowCache?: Cache | undefined;
  /** The start time of the transaction, if there is one, like `now()` of the database. */
  readonly now: () => Date;
  /** Throws for an anonymous caller. */
  readonly caller: Caller;
  /** The caller of an operation that anonymous callers may call. */
  readonly optionalCaller?: Caller | undefined;
}

/** The part of the context that handlers and jobs share; each adds its own database handle, caller and log. */
export type SharedContext = Omit<Context, 'db' | 'caller' | 'optionalCaller' | 'log' | 'rowCache'>;

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

/** The turn of one request, before work of which one tenant may have much. */
export interface Turn {
  /** Waits until it begins. Throws 503 if too many requests of the tenant or of the part wait, or the reason of the signal. */
  take(tenant: string, part: string): Promise<void>;
  /** Ends the turn: with the answer, or before work that waits in a queue of its own. */
  end(): void;
}
