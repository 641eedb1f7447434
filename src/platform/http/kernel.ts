import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import type { Identify } from '../access/identify.ts';
import type { Cache } from '../access/cache.ts';
import type { Caller, Context, SharedContext } from '../api/context.ts';
import type { VisitorAccess } from '../api/visitor-access.ts';
import type { Connection, Database } from '../database/connection.ts';
import type { DatabaseWatch } from '../database/watch.ts';
import type { FairQueue } from '../threads/fair-queue.ts';
import type { AnswerCache } from './answer/answer-cache.ts';
import type { ConstraintMessages } from './answer/error-response.ts';
import type { HeldBytes } from './receive/held-bytes.ts';
import type { Forward } from './forward.ts';
import type { RateLimits } from './admit/rate-limit.ts';
import type { Turns } from './admit/turns.ts';

/** What serving requests needs; built once, in `app.ts`. */
export interface Kernel extends RateLimits {
  readonly connection: Connection;
  readonly watch: DatabaseWatch;
  readonly identify: Identify;
  readonly cache: Cache;
  readonly answerCache: AnswerCache;
  readonly turns: Turns;
  /** Turns at the connections of writes. */
  readonly writeTurns: FairQueue;
  /** Large bodies, from their first byte until they are answered. */
  readonly heldBodies: HeldBytes;
  /** Large answers that are not fully sent. */
  readonly unsentAnswers: HeldBytes;
  readonly context: SharedContext;
  /** Forwards a request to the heavy process. Undefined: this is not the front. */
  readonly forward: Forward | undefined;
  /** Tells the front that a write is about to commit. Undefined: this is not the heavy process. */
  readonly announceCommit: ((reply: FastifyReply) => void) | undefined;
  readonly log: Logger;
  /** Whether the database's disk has no space left for writes. */
  isDiskFull(): Promise<boolean>;
  /** The column by which the rows of a tenant carry it: ids of a request stay in the tenant of its target. */
  readonly tenantColumn: string;
  readonly constraints: ConstraintMessages;
  /** Holders of tokens that are no users. */
  readonly visitors: VisitorAccess;
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
  readonly isFront: boolean;
  readonly caches: Context['caches'];
  readonly now: Context['now'];
  readonly db: Database;
  readonly log: Logger;
  readonly rowCache: Context['rowCache'];
  readonly #caller: Caller | undefined;

  constructor(
    { context: shared, log, cache }: Kernel,
    db: Database,
    caller: Caller | undefined,
    now: Date | undefined,
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
    this.isFront = shared.isFront;
    this.caches = shared.caches;
    this.now = now ? () => now : shared.now;
    this.db = db;
    this.log = log;
    this.rowCache = db.isTransaction ? undefined : cache;
    this.#caller = caller;
  }

  get optionalCaller(): Caller | undefined {
    return this.#caller;
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
): Context => new RequestContext(kernel, db, caller, now);
