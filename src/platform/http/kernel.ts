import type { Logger } from 'pino';
import type { Identify } from '../access/identify.ts';
import type { Cache } from '../access/cache.ts';
import type { Caller, Context, SharedContext } from '../api/context.ts';
import type { Connection, Database } from '../database/connection.ts';
import type { AnswerCache } from './answer-cache.ts';
import type { ConstraintMessages } from './error-response.ts';
import type { HeldBytes } from './held-bytes.ts';
import type { RateLimits } from './rate-limit.ts';

/** What serving requests needs; built once, in `app.ts`. */
export interface Kernel extends RateLimits {
  readonly connection: Connection;
  readonly identify: Identify;
  readonly cache: Cache;
  readonly answerCache: AnswerCache;
  /** Large bodies, from their first byte until they are answered. */
  readonly heldBodies: HeldBytes;
  /** Large answers that are not fully sent. */
  readonly unsentAnswers: HeldBytes;
  readonly context: SharedContext;
  readonly log: Logger;
  /** Whether the database's disk has no space left for writes. */
  isDiskFull(): Promise<boolean>;
  /** The column by which the rows of a tenant carry it: ids of a request stay in the tenant of its target. */
  readonly tenantColumn: string;
  readonly constraints: ConstraintMessages;
  /** Records the use of a token. */
  used(caller: Caller): void;
}

/** A class, because one is created for every request: objects of one shape are fast. */
class RequestContext implements Context {
  readonly addresses: Context['addresses'];
  readonly keys: Context['keys'];
  readonly settings: Context['settings'];
  readonly mail: Context['mail'];
  readonly files: Context['files'];
  readonly outbound: Context['outbound'];
  readonly git: Context['git'];
  readonly pdf: Context['pdf'];
  readonly threads: Context['threads'];
  readonly caches: Context['caches'];
  readonly now: Context['now'];
  readonly db: Database;
  readonly log: Logger;
  readonly finishedWork: Context['finishedWork'];
  readonly rowCache: Context['rowCache'];
  readonly #caller: Caller | undefined;

  constructor(
    { context: shared, log, cache }: Kernel,
    db: Database,
    caller: Caller | undefined,
    now: Date | undefined,
    finishedWork: Context['finishedWork'],
  ) {
    this.addresses = shared.addresses;
    this.keys = shared.keys;
    this.settings = shared.settings;
    this.mail = shared.mail;
    this.files = shared.files;
    this.outbound = shared.outbound;
    this.git = shared.git;
    this.pdf = shared.pdf;
    this.threads = shared.threads;
    this.caches = shared.caches;
    this.now = now ? () => now : shared.now;
    this.db = db;
    this.log = log;
    this.finishedWork = finishedWork;
    this.rowCache = db.isTransaction ? undefined : cache;
    this.#caller = caller;
  }

  get caller(): Caller {
    if (!this.#caller) throw new Error('this operation is open to anyone and has no caller');
    return this.#caller;
  }
}

export const contextOf = (
  kernel: Kernel,
  db: Database,
  caller: Caller | undefined,
  now: Date | undefined,
  finishedWork?: Context['finishedWork'],
): Context => new RequestContext(kernel, db, caller, now, finishedWork);
