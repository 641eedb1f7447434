import { sql } from 'kysely';
import pg from 'pg';
import { encodeArrays } from './arrays.ts';
import { createColumnNaming } from './named-rows.ts';

/**
 * Prefix of a statement whose result is not used: it is pipelined, that is, sent and not waited for. Its error is thrown
 * by the next statement or by the commit. It has no effect outside a transaction.
 */
export const PIPELINED = sql`/* pipelined */`;

const IS_PIPELINED = /^\s*\/\* pipelined \*\//;
const BEGIN = /^(begin|start transaction)\b/;
/** Ends the transaction, or returns to a savepoint: earlier errors do not matter any more. */
const ROLLBACK = /^rollback\b/;

export const LONGEST_STATEMENT_MS = 30_000;

/**
 * Characters or bytes of parameters that are pipelined. The next statement is waited for: it bounds the memory of the
 * pipeline, and lets the event loop run.
 */
const MAX_PIPELINED = 512 * 1024;

/** Bytes of statements that are sent at once. */
const LONG = 16 * 1024;

/** Statement texts that get a name. Beyond it, which only a bug would reach, statements run unnamed. */
const MAX_PREPARED = 2000;

/** Names for statement texts; the same on all connections of a pool. */
function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    let name = names.get(text);
    if (!name && names.size < MAX_PREPARED) names.set(text, (name = `s${names.size}`));
    return name;
  };
}

/**
 * A connection that prepares every statement once, pipelines statements whose results are not used, and reports what a
 * transaction changed after its commit. After `longestSilenceMs` without an answer, it counts as dead.
 */
export function clientClass(
  onCommit: (tags: readonly string[]) => void,
  longestSilenceMs: number,
): typeof pg.Client {
  const statementName = createStatementNames();
  const nameColumns = createColumnNaming();
  return class Client extends pg.Client {
    #isInTransaction = false;
    /** Pipelined statements that were sent and not waited for. */
    #pipelined: Promise<unknown>[] = [];
    #pipelinedLength = 0;
    #isCorked = false;
    /** Statements without an answer, and the timer that waits for the next answer. */
    #unanswered = 0;
    #silence: NodeJS.Timeout | undefined;

    // oxlint-disable-next-line typescript/no-explicit-any -- pg's `query` has eight overloads; Kysely and we use two
    override query(text: any, given?: any, callback?: any): any {
      const values = Array.isArray(given) ? encodeArrays(given) : given;
      // A callback comes from `pool.query`, which waits for it and ignores a promise.
      if (typeof text === 'string' && Array.isArray(values) && !callback) {
        if (text === 'commit') return this.#commit();
        if (BEGIN.test(text)) return this.#begin(text);
        if (ROLLBACK.test(text)) this.#discard();
        if (text === 'rollback') this.#isInTransaction = false;
        const isPipelined = this.#isInTransaction && IS_PIPELINED.test(text) && this.#mayPipeline(values);
        if (isPipelined) this.#cork();
        const name = values.length > 0 ? statementName(text) : undefined;
        const answer = this.#guarded(
          name ? this.#prepared(name, text, values) : super.query({ text, values }),
        );
        if (isPipelined) this.#sendIfLong();
        return isPipelined ? this.#deferred(answer) : this.#awaited(answer);
      }
      return super.query(text, values, callback);
    }

    async #prepared(name: string, text: string, values: unknown[]): Promise<pg.QueryArrayResult> {
      const result = await super.query({ name, text, values, rowMode: 'array' });
      nameColumns(result.rows, result.fields);
      return result;
    }

    /** Sent with the next statement, which saves a round trip. */
    #begin(text: string) {
      this.#isInTransaction = true;
      this.#cork();
      const begun = this.#guarded(super.query(text));
      // The statements after it must not run outside a transaction.
      begun.catch(() => this.connection.stream.destroy());
      return this.#deferred(begun);
    }

    /** Short statements are sent together with the next one that is waited for: PostgreSQL wakes up less often. */
    #cork(): void {
      if (!this.#isCorked) this.connection.stream.cork();
      this.#isCorked = true;
    }

    #uncork(): void {
      if (this.#isCorked) this.connection.stream.uncork();
      this.#isCorked = false;
    }

    /** PostgreSQL executes a long one while the next is prepared here. */
    #sendIfLong(): void {
      if (this.connection.stream.writableLength > LONG) this.#uncork();
    }

    #mayPipeline(values: readonly unknown[]): boolean {
      for (const value of values)
        if (typeof value === 'string' || Buffer.isBuffer(value)) this.#pipelinedLength += value.length;
      return this.#pipelinedLength <= MAX_PIPELINED;
    }

    #deferred(answer: Promise<unknown>): Promise<Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>> {
      answer.catch(() => undefined);
      this.#pipelined.push(answer);
      return Promise.resolve({ command: '', rowCount: null, rows: [] });
    }

    /** Throws the first error: those after it only state that the transaction has failed. */
    async #awaited<T>(answer: Promise<T>): Promise<T> {
      const before = this.#pipelined;
      this.#discard();
      if (before.length === 0) return answer;
      const settled = await Promise.allSettled([...before, answer]);
      const failed = settled.find((each) => each.status === 'rejected');
      if (failed) throw failed.reason;
      return answer;
    }

    /** Sends what is pipelined. Its answers are for the caller. */
    #discard(): void {
      this.#uncork();
      this.#pipelined = [];
      this.#pipelinedLength = 0;
      this.#awaitAnswer();
    }

    /**
     * PostgreSQL cancels slow statements. If not even that arrives, the connection is dead. Pipelined statements are
     * executed one after the other: the time of each begins with the answer to the one before.
     */
    #guarded<T>(answer: Promise<T>): Promise<T> {
      this.#unanswered += 1;
      return answer.finally(() => {
        this.#unanswered -= 1;
        this.#awaitAnswer();
      });
    }

    #awaitAnswer(): void {
      clearTimeout(this.#silence);
      // Corked statements have no answer because they are not sent.
      if (this.#unanswered === 0 || this.#isCorked) return;
      this.#silence = setTimeout(() => this.connection.stream.destroy(), longestSilenceMs);
    }

    async #commit(): Promise<pg.QueryResult> {
      this.#isInTransaction = false;
      const results = (await this.#awaited(
        this.#guarded(super.query("select current_setting('octavo.changed', true) as changed; commit")),
      )) as unknown as [pg.QueryResult<{ changed: string | null }>, pg.QueryResult];
      const changed = results[0].rows[0]?.changed;
      if (changed) onCommit(changed.split(' ').filter(Boolean));
      return results[1];
    }
  };
}
