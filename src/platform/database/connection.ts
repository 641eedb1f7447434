import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, NoResultError, PostgresDialect } from 'kysely';
import pg from 'pg';
import { clientClass, LONGEST_STATEMENT_MS } from './client.ts';
import { interruptible } from './interruptible.ts';
import type { DB as Tables } from './tables.ts';
import { timestampParser } from './timestamps.ts';

export type Database = Kysely<Tables>;

/** Where PostgreSQL is: a connection string, or the socket of the embedded one. */
export type ConnectionTarget =
  | { readonly connectionString: string }
  | { readonly host: string; readonly user: string; readonly password: string; readonly database: string };

export interface Connection {
  readonly db: Database;
  readonly pool: pg.Pool;
  bytesReceived(): number;
  /** Ends every connection and refuses new ones, while the database hangs: its requests fail now, not at their time limit. */
  interrupt(): void;
  resume(): void;
  close(): Promise<void>;
}

interface ConnectOptions {
  readonly poolSize: number;
  /** Gets the tags of what a transaction changed, after its commit and before its requests are answered. */
  readonly onCommit: (tags: readonly string[]) => void;
  readonly onError: (error: Error) => void;
  /** The time limit of a statement. Default: that of requests. */
  readonly longestStatementMs?: number;
}

// `count(*)` is a bigint; none of ours exceeds a double.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(
  pg.types.builtins.TIMESTAMPTZ,
  timestampParser(pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)),
);

const CLOSE_MS = 1_000;
/** How long a request waits for a connection. */
const CONNECT_MS = 4_000;
/** How long PostgreSQL may take to cancel a statement before the connection counts as dead. */
const PATIENCE_MS = 5_000;

export function connect(target: ConnectionTarget, options: ConnectOptions): Connection {
  const { longestStatementMs = LONGEST_STATEMENT_MS } = options;
  const { Client, bytesReceived, interrupt, resume } = interruptible(
    clientClass(options.onCommit, longestStatementMs + PATIENCE_MS),
  );
  const pool = new pg.Pool({
    ...target,
    Client,
    max: options.poolSize,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    pipeline: true,
    statement_timeout: longestStatementMs,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'octavo',
  });
  let isClosing = false;
  const report = (error: Error) => isClosing || options.onError(error);
  // Also while a connection is checked out: without a listener, losing it would end the process.
  pool.on('connect', (client) => void client.on('error', report));
  // Repeats the error of an idle connection, with the whole client in it.
  pool.on('error', () => undefined);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    pool,
    bytesReceived,
    interrupt: () => interrupt(new DatabaseHangs('The database does not answer.')),
    resume,
    async close() {
      isClosing = true;
      await closed(db.destroy());
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
/** Connection errors, and a server without connections, memory or disk space. */
const GONE_CLASSES = /^(08|53)\w{3}$/;
const GONE_WORDS =
  /Connection terminated|timeout exceeded when trying to connect|not queryable|Cannot use a pool|does not support SSL/;
const TLS_CODES = /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** No connection, since the certificate of the server or its TLS is not accepted. */
export const isTlsFailure = (error: unknown): boolean =>
  TLS_CODES.test((error as { code?: string } | undefined)?.code ?? '');

/** A connection that is held longer, or whose server hangs, is abandoned. */
export const closed = (closing: Promise<unknown> | undefined): Promise<unknown> =>
  Promise.race([closing?.catch(() => undefined), delay(CLOSE_MS, undefined, { ref: false })]);

class DatabaseHangs extends Error {}

/** The connection to the database failed. Whether a write took effect is unknown. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof DatabaseHangs) return true;
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: string }).code ?? '';
  return (
    GONE_CODES.has(code) || GONE_CLASSES.test(code) || GONE_WORDS.test(error.message) || isTlsFailure(error)
  );
}

/** A row that a request has found is gone, where no query builder says so (`NoResultError`). */
export class RowGone extends Error {}

/**
 * Serialization failures and deadlocks can be retried. So can a transaction whose row, or a referenced row (23503), was
 * deleted after it was found: the next attempt does not find it.
 */
export function isRetryable(error: unknown): boolean {
  if (error instanceof NoResultError || error instanceof RowGone) return true;
  const code = (error as { code?: string } | undefined)?.code;
  return code === '40001' || code === '40P01' || code === '23503';
}
