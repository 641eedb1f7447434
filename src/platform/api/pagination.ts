import { createHash } from 'node:crypto';
import { sql, type Expression, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import type { Database } from '../database/connection.ts';
import { badRequest } from './errors.ts';
import { equalsSecret, type Keys } from '../keys.ts';
import type { ListQuery } from './schema.ts';

const DEFAULT_LIMIT = 50;
/** Limit of a page of large rows: otherwise a few concurrent requests could exhaust the memory. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;
/** A lower limit for documents in JSON, which are parsed and serialised in one turn of the event loop: some 80 ms. */
export const MAX_DOCUMENT_BYTES = 2 * 1024 * 1024;

type Key = readonly (string | number)[];
interface Position {
  readonly key: Key;
  readonly count: number;
}

/** A requested page: its start, its length, and how to make the cursor of the next one. */
export interface PageRequest {
  readonly limit: number;
  readonly after: Position | undefined;
  /** The cursor after a row. */
  readonly cursor: (key: Key, count: number) => string;
}

export interface Page<Row> {
  readonly rows: Row[];
  readonly count: number;
  readonly next: { readonly page: string } | undefined;
}

/**
 * Reads `page` and `limit`. A cursor is signed and bound to the operation, its path and filters, and the caller: it
 * continues exactly that list.
 */
export function pageRequest(keys: Keys, binding: readonly unknown[], query: ListQuery): PageRequest {
  const bound = createHash('sha256').update(JSON.stringify(binding)).digest('base64url');
  const signed = (body: string) => keys.sign('cursor', `${bound} ${body}`).slice(0, 22);
  return {
    limit: query.limit ?? DEFAULT_LIMIT,
    after: query.page === undefined ? undefined : readCursor(query.page, signed),
    cursor(key, count) {
      const body = Buffer.from(JSON.stringify([key, count])).toString('base64url');
      return `${body}.${signed(body)}`;
    },
  };
}

function readCursor(page: string, signed: (body: string) => string): Position {
  // Everything after the first dot is the signature, so that appended text invalidates the cursor.
  const [body = '', ...signature] = page.split('.');
  if (!equalsSecret(signature.join('.'), signed(body))) {
    throw badRequest(
      '`page` is not a cursor of this list. Use `next.page` of the previous response, with the same filters.',
      [{ path: 'query.page', rule: 'must be a cursor of this list, unchanged' }],
    );
  }
  const [key, count] = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as [Key, number];
  return { key, count };
}

/** The size of a jsonb column. The concatenation decompresses it, which takes a fraction of the time of a cast to text. */
export const sizeOfJson = (column: string): RawBuilder<number> =>
  sql`pg_column_size(${sql.ref(column)} || '{}'::jsonb)`;

interface KeysetOrder<Row> {
  /** The columns of the order, the last one unique; all in one direction. */
  readonly by: readonly (string | Expression<unknown>)[];
  readonly direction: 'asc' | 'desc';
  readonly key: (row: Row) => Key;
  /** How many rows there are, where that is known without a scan of them. */
  readonly count?: () => Promise<number>;
  /** Reads the count from a row, if each row has it. */
  readonly countIn?: (row: Row) => number;
  /** Limits pages of rows that can be large. */
  readonly size?: RowSize;
}

interface RowSize {
  readonly db: Database;
  /** The size of a row in bytes, in SQL over its columns. */
  readonly of: RawBuilder<number>;
  /** `MAX_PAGE_BYTES` unless given. */
  readonly max?: number;
}

/**
 * Keyset pagination: inserted and deleted rows cause no skips or repetitions, and a later page costs no more than the
 * first. The first page counts all rows; the cursor carries the count to the later ones.
 */
export async function fetchPage<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  request: PageRequest,
  order: KeysetOrder<Row>,
): Promise<Page<Row>> {
  const counted = order.count ?? (() => countOf(query));
  if (request.limit === 0) {
    const count = request.after?.count ?? (await counted());
    return { rows: [], count, next: undefined };
  }
  const columns = order.by.map((column) => (typeof column === 'string' ? sql.ref(column) : column));
  const sorted = sql.join(columns.map((column) => sql`${column} ${sql.raw(order.direction)}`));
  let paged = query.orderBy(sql`${sorted}`).limit(request.limit + 1);
  if (request.after) {
    const values = sql.join(request.after.key.map((value) => sql`${value}`));
    const comparison = sql.raw(order.direction === 'asc' ? '>' : '<');
    paged = paged.where(sql<boolean>`(${sql.join(columns)}) ${comparison} (${values})`);
  }
  const { rows, isCut } = order.size
    ? await fetchWithinBytes(order.size, paged, sorted)
    : { rows: await paged.execute(), isCut: false };
  const more = isCut || rows.length > request.limit;
  const kept = rows.slice(0, request.limit);
  const last = kept.at(-1);
  const countInRow = last && order.countIn?.(last as Row);
  const count = request.after?.count ?? (more ? (countInRow ?? (await counted())) : rows.length);
  return {
    rows: kept as Row[],
    count,
    next: more && last ? { page: request.cursor(order.key(last as Row), count) } : undefined,
  };
}

/**
 * Reads as many rows as fit, at least one. PostgreSQL measures them: rows that do not fit are not loaded. All orders are the
 * same, so that it sorts once, and one window has both functions; `lead` ignores its frame.
 */
async function fetchWithinBytes<DB, TB extends keyof DB, Row>(
  { db, of, max = MAX_PAGE_BYTES }: RowSize,
  paged: SelectQueryBuilder<DB, TB, Row>,
  sorted: RawBuilder<unknown>,
): Promise<{ readonly rows: Row[]; readonly isCut: boolean }> {
  const { rows } = await sql<Row & { is_followed: boolean | null }>`
    select * from (
      select *, lead(true) over earlier as is_followed, sum(${of}) over earlier as bytes_before
      from (${paged}) as row
      window earlier as (order by ${sorted} rows between unbounded preceding and 1 preceding)
    ) as row
    where coalesce(bytes_before, 0) < ${max} order by ${sorted}`.execute(db);
  return { rows, isCut: rows.at(-1)?.is_followed === true };
}

/**
 * One page of sorted ids in memory. `state` identifies what they are ids of (a revision): the cursor carries it, so that
 * the next page is taken from the same state.
 */
export function slicePage(ids: readonly string[], request: PageRequest, state: string): Page<string> {
  const last = request.after?.key.at(-1);
  const from = last === undefined ? 0 : ids.findIndex((id) => id > String(last));
  const rows = from < 0 ? [] : ids.slice(from, from + request.limit);
  const end = rows.at(-1);
  const more = end !== undefined && from + rows.length < ids.length;
  return {
    rows,
    count: ids.length,
    next: more ? { page: request.cursor([state, end], ids.length) } : undefined,
  };
}

/** The state that a list of `slicePage` started on. */
export const stateOf = (request: PageRequest): string | undefined =>
  request.after && String(request.after.key[0]);

async function countOf<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
): Promise<number> {
  const counted = await query
    .clearSelect()
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirst();
  return (counted as { count: number } | undefined)?.count ?? 0;
}

/** The list envelope of the contract. */
export const presentList = <Row, Item>(page: Page<Row>, present: (row: Row) => Item) => ({
  ...(page.next ? { next: page.next } : {}),
  count: page.count,
  items: page.rows.map(present),
});
