import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, NoResultError, PostgresDialect } from 'kysely';
import pg from 'pg';
import { clientClass, LONGEST_STATEMENT_MS } from './client.ts';
import type { DB as Tables } from './tables.ts';

export type Database = Kysely<Tables>;

/** Where PostgreSQL is: a connection string, or the socket of the embedded one. */
export type ConnectionTarget =
  | { readonly connectionString: string }
  | { readonly host: string; readonly user: string; readonly password: string; readonly database: string };

export interface Connection {
  readonly db: Database;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

interface ConnectOptions {
  readonly poolSize: number;
  /** Told the tags of what a transaction of ours changed, after it committed and before anyone is answered. */
  readonly onCommit: (tags: readonly string[]) => void;
  readonly onError: (error: Error) => void;
}

// Timestamps as Date, counts as numbers: `count(*)` is a bigint, and none of ours outgrows a double.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const CLOSE_MS = 1_000;

export function connect(target: ConnectionTarget, options: ConnectOptions): Connection {
  const pool = new pg.Pool({
    ...target,
    Client: clientClass(options.onCommit),
    max: options.poolSize,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    pipeline: true,
    statement_timeout: LONGEST_STATEMENT_MS,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'octavo',
  });
  let isClosing = false;
  const report = (error: Error) => isClosing || options.onError(error);
  // Also while a connection is checked out: without a listener, losing it would end the process.
  pool.on('connect', (client) => void client.on('error', report));
  // Says the same again of one that was idle, with the whole client in the error.
  pool.on('error', () => undefined);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    pool,
    async close() {
      isClosing = true;
      // Whoever holds a connection longer has been given up.
      await Promise.race([db.destroy(), delay(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}

const GONE_CODES = new Set([
  '57P01',
  '57P02',
  '57P03',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
/** Of connections, and of a server that is out of connections, memory or disk. */
const GONE_CLASSES = /^(08|53)\w{3}$/;
const GONE_WORDS =
  /Connection terminated|timeout exceeded when trying to connect|not queryable|Cannot use a pool/;

/** PostgreSQL could not write for want of disk space. The transaction was rolled back. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: string }).code === '53100';

/** The database is away, or was, while this ran. Whether a write happened is then unknown, not "no". */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: string }).code ?? '';
  return GONE_CODES.has(code) || GONE_CLASSES.test(code) || GONE_WORDS.test(error.message);
}

/**
 * Two transactions were in each other's way; the one that lost can simply run again. So can one whose row, or a row
 * that it pointed at (23503), was deleted after it had been found: the next time it is not found at all.
 */
export function isRetryable(error: unknown): boolean {
  if (error instanceof NoResultError) return true;
  const code = (error as { code?: string } | undefined)?.code;
  return code === '40001' || code === '40P01' || code === '23503';
}
