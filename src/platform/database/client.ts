import { sql } from 'kysely';
import pg from 'pg';
import { encodeTextArrays } from './text-arrays.ts';

/**
 * Before a statement of a transaction whose answer nobody reads: it is sent, and not waited for. What is wrong with it
 * is thrown by the statement after it, or by the commit. Outside a transaction it changes nothing.
 */
export const PIPELINED = sql`/* pipelined */`;

const IS_PIPELINED = /^\s*\/\* pipelined \*\//;
const BEGIN = /^(begin|start transaction)\b/;
/** All of it, or to a savepoint: what failed before is of no interest any more. */
const ROLLBACK = /^rollback\b/;

export const LONGEST_STATEMENT_MS = 30_000;

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

/**
 * A connection that prepares every statement once, waits for no answer that nobody reads, and tells what a transaction
 * changed when it has committed.
 */
export function clientClass(onCommit: (tags: readonly string[]) => void): typeof pg.Client {
  return class Client extends pg.Client {
    #isInTransaction = false;
    /** What was sent and not waited for. */
    #unheard: Promise<unknown>[] = [];

    // oxlint-disable-next-line typescript/no-explicit-any -- pg's `query` has eight overloads; Kysely and we use two
    override query(text: any, given?: any, callback?: any): any {
      const values = Array.isArray(given) ? encodeTextArrays(given) : given;
      // A callback comes from `pool.query`, which waits for it and ignores a promise.
      if (typeof text === 'string' && Array.isArray(values) && !callback) {
        if (text === 'commit') return this.#commit();
        if (BEGIN.test(text)) return this.#begin(text);
        if (ROLLBACK.test(text)) this.#forget();
        if (text === 'rollback') this.#isInTransaction = false;
        const isPipelined = this.#isInTransaction && IS_PIPELINED.test(text);
        if (isPipelined) this.#hold();
        const name = values.length > 0 ? statementName(text) : undefined;
        const answer = this.#answered(super.query(name ? { name, text, values } : { text, values }));
        return isPipelined ? this.#notWaitedFor(answer) : this.#heard(answer);
      }
      return super.query(text, values, callback);
    }

    /** Goes out with the statement after it: a round trip less. */
    #begin(text: string) {
      this.#isInTransaction = true;
      this.#hold();
      const begun = super.query(text);
      // Outside a transaction nothing more may be sent.
      begun.catch(() => this.connection.stream.destroy());
      return this.#notWaitedFor(begun);
    }

    /** What is said now goes out with the next that is waited for: a process that is woken less does more. */
    #hold(): void {
      if (this.#unheard.length === 0) this.connection.stream.cork();
    }

    #notWaitedFor(answer: Promise<unknown>): Promise<Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>> {
      answer.catch(() => undefined);
      this.#unheard.push(answer);
      return Promise.resolve({ command: '', rowCount: null, rows: [] });
    }

    /** The first that failed says why; those after it say only that something had failed. */
    async #heard<T>(answer: Promise<T>): Promise<T> {
      const before = this.#unheard;
      if (before.length === 0) return answer;
      this.connection.stream.uncork();
      this.#unheard = [];
      const settled = await Promise.allSettled([...before, answer]);
      const failed = settled.find((each) => each.status === 'rejected');
      if (failed) throw failed.reason;
      return answer;
    }

    #forget(): void {
      if (this.#unheard.length > 0) this.connection.stream.uncork();
      this.#unheard = [];
    }

    /** PostgreSQL itself ends what takes too long. If not even that is heard, there is nobody at the other end. */
    #answered<T>(answer: Promise<T>): Promise<T> {
      const timer = setTimeout(() => this.connection.stream.destroy(), LONGEST_STATEMENT_MS + 5_000);
      return answer.finally(() => clearTimeout(timer));
    }

    async #commit(): Promise<pg.QueryResult> {
      this.#isInTransaction = false;
      const results = (await this.#heard(
        this.#answered(super.query("select current_setting('octavo.changed', true) as changed; commit")),
      )) as unknown as [pg.QueryResult<{ changed: string | null }>, pg.QueryResult];
      const changed = results[0].rows[0]?.changed;
      if (changed) onCommit(changed.split(' ').filter(Boolean));
      return results[1];
    }
  };
}
