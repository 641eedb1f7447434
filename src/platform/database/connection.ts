import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, NoResultError, PostgresDialect } from 'kysely';
import pg from 'pg';
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

const BEGIN = /^(begin|start transaction)\b/;
const LONGEST_STATEMENT_MS = 30_000;
const CLOSE_MS = 1_000;

/** Distinct statement texts that get a name. Beyond it (a bug, not a load) statements run unnamed. */
const MAX_PREPARED = 2000;
const statementNames = new Map<string, string>();

function statementName(text: string): string | undefined {
  let name = statementNames.get(text);
  if (!name && statementNames.size < MAX_PREPARED) {
    name = `s${statementNames.size}`;
    statementNames.set(text, name);
  }
  return name;
}

export function connect(target: ConnectionTarget, options: ConnectOptions): Connection {
  /** Prepares every statement once per connection, and reads what a transaction changed on the way of its commit. */
  class Client extends pg.Client {
    #begun: Promise<unknown> | undefined;

    // oxlint-disable-next-line typescript/no-explicit-any -- pg's `query` has eight overloads; Kysely and we use two
    override query(text: any, values?: any, callback?: any): any {
      // A callback comes from `pool.query`, which waits for it and ignores a promise.
      if (typeof text === 'string' && Array.isArray(values) && !callback) {
        if (text === 'commit') return this.#commit();
        if (BEGIN.test(text)) return this.#begin(text);
        const name = values.length > 0 ? statementName(text) : undefined;
        return this.#answered(
          this.#afterBegin(super.query(name ? { name, text, values } : { text, values })),
        );
      }
      return super.query(text, values, callback);
    }

    /** Goes out with the statement after it: a round trip less. */
    #begin(text: string): Promise<Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>> {
      const { stream } = this.connection;
      stream.cork();
      process.nextTick(() => stream.uncork());
      this.#begun = super.query(text);
      return Promise.resolve({ command: 'BEGIN', rowCount: null, rows: [] });
    }

    /** Outside a transaction nothing may be believed, and nothing more may be sent. */
    #afterBegin<T>(answer: Promise<T>): Promise<T> {
      const begun = this.#begun;
      this.#begun = undefined;
      if (!begun) return answer;
      begun.catch(() => this.connection.stream.destroy());
      return Promise.all([answer, begun]).then(([result]) => result);
    }

    /** PostgreSQL itself ends what takes too long. If not even that is heard, there is nobody at the other end. */
    #answered<T>(answer: Promise<T>): Promise<T> {
      const timer = setTimeout(() => this.connection.stream.destroy(), LONGEST_STATEMENT_MS + 5_000);
      return answer.finally(() => clearTimeout(timer));
    }

    async #commit(): Promise<pg.QueryResult> {
      const results = (await this.#answered(
        this.#afterBegin(super.query("select current_setting('octavo.changed', true) as changed; commit")),
      )) as unknown as [pg.QueryResult<{ changed: string | null }>, pg.QueryResult];
      const changed = results[0].rows[0]?.changed;
      if (changed) options.onCommit(changed.split(' ').filter(Boolean));
      return results[1];
    }
  }

  const pool = new pg.Pool({
    ...target,
    Client,
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
