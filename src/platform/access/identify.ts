import { CompiledQuery } from 'kysely';
import type { Cache } from './cache.ts';
import type { Caller } from '../api/context.ts';
import type { Database } from '../database/connection.ts';
import { batchReads } from './batch-reads.ts';
import type { Row, Resource } from '../api/resource.ts';

interface RowName {
  readonly resource: Resource;
  /** Undefined where the caller alone determines the row. */
  readonly id: string | undefined;
  readonly withinId?: string | undefined;
}

export interface Locate extends RowName {
  /** The answer shows the row: the counts of a cached one are refreshed. */
  readonly isShown: boolean;
}

export interface Identified {
  readonly caller: Caller;
  readonly row: Row | undefined;
  /** The time of the database; undefined if the answer came from the cache. */
  readonly now?: Date;
}

/**
 * The holder of the token, and the row at `locate` as they may see it. Undefined: no such token. Token, user, membership,
 * grants and the row are read in one statement: one round trip per request, and no change of permissions in between.
 */
export type Identify = (
  db: Database,
  cache: Cache | undefined,
  tokenHash: string,
  locate?: Locate,
) => Promise<Identified | undefined>;

type Columns = Record<string, unknown>;

interface Question {
  /** Hexadecimal: a string is a cheaper cache key than a buffer. */
  readonly tokenHash: string;
  readonly id: string | undefined;
  readonly withinId: string | undefined;
}

type Ask = (question: Question) => Promise<Columns | undefined>;

/**
 * `callerSql` selects `id, display_name, photo_url, email, email_proven, token_id, scopes, expires_at` of the holder of
 * the token whose hash is `asked.hash`. Concurrent lookups of one resource share a statement; those of a transaction run
 * on its own connection.
 */
export function createIdentify(callerSql: string): Identify {
  const texts = new Map<string, string>();
  const lookups = new WeakMap<Database, Map<Resource | undefined, Ask>>();
  const refreshed = createRefresh();

  async function rowsOf(db: Database, resource: Resource | undefined, asked: string, values: unknown[]) {
    const key = `${asked} ${resource ? numberOf(resource) : ''}`;
    let text = texts.get(key);
    if (!text) texts.set(key, (text = statement(callerSql, resource, asked)));
    return (await db.executeQuery<Columns>(CompiledQuery.raw(text, values))).rows;
  }

  async function askOne(db: Database, resource: Resource | undefined, question: Question) {
    const values = [bytesOf(question.tokenHash), question.id, question.withinId];
    return (await rowsOf(db, resource, ONE, values))[0];
  }

  async function askMany(db: Database, resource: Resource | undefined, questions: readonly Question[]) {
    const values = [
      questions.map(({ tokenHash }) => bytesOf(tokenHash)),
      questions.map(({ id }) => id),
      questions.map(({ withinId }) => withinId),
    ];
    const answers: (Columns | undefined)[] = questions.map(() => undefined);
    for (const row of await rowsOf(db, resource, MANY, values)) answers[Number(row['asked_at']) - 1] ??= row;
    return answers;
  }

  function askerOf(db: Database, resource: Resource | undefined): Ask {
    let askers = lookups.get(db);
    if (!askers) lookups.set(db, (askers = new Map<Resource | undefined, Ask>()));
    let ask = askers.get(resource);
    if (!ask) {
      // The lookups of a transaction are made in one turn of the event loop; others arrive from many sockets.
      ask = batchReads(
        async (questions) => {
          const [first] = questions;
          return first && questions.length === 1
            ? [await askOne(db, resource, first)]
            : askMany(db, resource, questions);
        },
        db.isTransaction ? queueMicrotask : setImmediate,
      );
      askers.set(resource, ask);
    }
    return ask;
  }

  return async (db, cache, tokenHash, locate) => {
    const begun = cache?.begin();
    if (cache && begun !== undefined) {
      const hit = fromCache(cache, tokenHash, locate);
      if (hit?.row && locate?.isShown && locate.resource.live)
        return { ...hit, row: await refreshed(db, locate, hit.row) };
      if (hit) return hit;
    }
    const ask = askerOf(db, locate?.resource);
    const found = await ask({ tokenHash, id: locate?.id, withinId: locate?.withinId });
    if (!found) return undefined;
    const caller = callerOf(found);
    const row = locate && found[locate.resource.key] !== null ? (found as unknown as Row) : undefined;
    if (cache && begun !== undefined) {
      cache.put(tokenHash, begun, [`user:${caller.id}`], { caller, expiresAt: found['caller_expires_at'] });
      const tags = locate && row && locate.resource.cacheTags?.(row);
      if (tags) cache.put(rowKey(caller.id, locate), begun, [`user:${caller.id}`, ...tags], row);
    }
    return { caller, row, now: found['asked_now'] as Date };
  };
}

const bytesOf = (hex: string) => Buffer.from(hex, 'hex');

const CALLER_COLUMNS =
  'asked.at as asked_at, now()::timestamptz(3) as asked_now, caller.id as caller_id, ' +
  'caller.display_name as caller_display_name, caller.photo_url as caller_photo_url, caller.email as caller_email, ' +
  'caller.email_proven as caller_email_proven, caller.token_id as caller_token_id, ' +
  'caller.scopes as caller_scopes, caller.expires_at as caller_expires_at';

const MANY = 'unnest($1::bytea[], $2::text[], $3::text[]) with ordinality as asked(hash, id, within_id, at)';
/** Half the cost of `MANY` for a single question. */
const ONE = '(select $1::bytea as hash, $2::text as id, $3::text as within_id, 1 as at) asked';

/**
 * `offset 0` keeps PostgreSQL from joining all rows of all callers first: each question is an index lookup.
 */
function statement(callerSql: string, resource: Resource | undefined, asked: string): string {
  const caller = `from ${asked} cross join lateral (${callerSql}) caller`;
  return resource
    ? `select ${CALLER_COLUMNS}, target.* ${caller} left join lateral (${located(resource)} offset 0) target on true`
    : `select ${CALLER_COLUMNS} ${caller}`;
}

const located = ({ rows, match }: Resource) =>
  `${rows} and ${match.replaceAll(':ids', 'array[asked.id]').replaceAll(':within', 'asked.within_id')}`;

/** Refreshes the counts of a cached row. */
function createRefresh() {
  const readers = new Map<Resource, (id: string) => Promise<Columns | undefined>>();
  const lastShown = new WeakMap<Row, Row>();

  return async (db: Database, { resource, id }: Locate, row: Row): Promise<Row> => {
    let read = readers.get(resource);
    if (!read) readers.set(resource, (read = batchReads((ids) => readLive(db, resource, ids))));
    const fresh = (await read(id ?? '')) ?? {};
    const last = (lastShown.get(row) ?? row) as unknown as Columns;
    // Returns the same object while nothing changed: cached answers are keyed by its identity.
    if (Object.entries(fresh).every(([column, value]) => last[column] === value))
      return last as unknown as Row;
    const shown = { ...row, ...fresh };
    lastShown.set(row, shown);
    return shown;
  };
}

async function readLive(db: Database, { live, key }: Resource, ids: readonly string[]) {
  const result = await db.executeQuery<Columns>(CompiledQuery.raw(live ?? '', [[...new Set(ids)]]));
  const rows = new Map(result.rows.map((row) => [row[key], row]));
  return ids.map((id) => rows.get(id));
}

const numbers = new Map<Resource, number>();

/** Identifies a resource in cache keys: two resources may share a name and select different rows. */
export function numberOf(resource: Resource): number {
  let number = numbers.get(resource);
  if (number === undefined) numbers.set(resource, (number = numbers.size));
  return number;
}

/** The key of a cached row, as one caller may see it. */
export const rowKey = (callerId: string, { resource, id, withinId }: RowName) =>
  `${numberOf(resource)} ${callerId} ${id ?? ''} ${withinId ?? ''}`;

function callerOf(found: Columns): Caller {
  return {
    id: found['caller_id'] as string,
    tokenId: found['caller_token_id'] as string,
    scopes: found['caller_scopes'] as string[] | null,
    displayName: found['caller_display_name'] as string,
    photoUrl: found['caller_photo_url'] as string | null,
    email: found['caller_email'] as string,
    emailProven: found['caller_email_proven'] as boolean,
  };
}

function fromCache(cache: Cache, tokenHash: string, locate: Locate | undefined): Identified | undefined {
  const token = cache.get(tokenHash) as { caller: Caller; expiresAt: Date | null } | undefined;
  if (!token || (token.expiresAt && token.expiresAt.getTime() <= Date.now())) return undefined;
  if (!locate) return { caller: token.caller, row: undefined };
  if (!locate.resource.cacheTags) return undefined;
  const row = cache.get(rowKey(token.caller.id, locate)) as Row | undefined;
  return row && { caller: token.caller, row };
}
