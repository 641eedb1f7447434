import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Caller } from '../../api/context.ts';
import type { Database } from '../../database/connection.ts';
import { ApiError, badRequest, unprocessable } from '../../api/errors.ts';
import type { Keys } from '../../keys.ts';
import type { Operation } from '../../api/operation.ts';
import { ERROR_HEADERS, errorBody, toApiError, type ConstraintMessages } from '../answer/error-response.ts';
import type { Answer } from '../answer/answer.ts';
import type { RequestBody } from '../receive/request-body.ts';

export interface KeyedRequest {
  /** Not the user: another token of theirs may have fewer rights than the stored answer shows. */
  readonly tokenId: string;
  readonly key: string;
  /** Method and path: the same key on another path is another key. */
  readonly target: string;
  /** Part of the request: another query is another request. */
  readonly query: string;
  readonly bytes: Buffer;
}

const MAX_KEY = 255;
const PURPOSE = 'idempotency';

/** The key of a request that has an `Idempotency-Key`. */
export function keyedRequest(
  { method }: Operation,
  { headers, url }: FastifyRequest,
  { tokenId }: Pick<Caller, 'tokenId'>,
  body: Pick<RequestBody, 'bytes'>,
): KeyedRequest | undefined {
  const key = method === 'POST' ? headers['idempotency-key'] : undefined;
  if (typeof key !== 'string') return undefined;
  if (key.length === 0 || key.length > MAX_KEY)
    throw badRequest(`Idempotency-Key must have 1 to ${MAX_KEY} characters.`);
  const [path, ...query] = url.split('?');
  return { tokenId, key, target: `${method} ${path}`, query: query.join('?'), bytes: body.bytes };
}

/**
 * Runs `act` once per key. The answer is stored in the same transaction, so that neither exists without the other. 409 is
 * stored too (the savepoint undoes the act), other errors are not. Stored answers are encrypted: they may hold a token.
 */
export async function once(
  db: Database,
  keys: Keys,
  request: KeyedRequest,
  constraints: ConstraintMessages,
  act: () => Promise<Answer>,
): Promise<Answer> {
  const find = () => storedAnswer(db, keys, request);
  // Before the lock: repetitions of a finished request do not exclude each other.
  const finished = await find();
  if (finished) return finished;
  const isLocked = await tryLockKey(db, request);
  // After it: the request that held the lock may have finished meanwhile.
  const stored = await find();
  if (stored) return stored;
  if (!isLocked) throw stillRunning();
  const answer = await actOrConflict(db, constraints, act);
  await db
    .insertInto('idempotency_keys')
    .values({
      token_id: request.tokenId,
      target: request.target,
      key: request.key,
      body_hash: hashOf(request),
      answer: keys.seal(PURPOSE, JSON.stringify(answer)),
    })
    .execute();
  return answer;
}

const hashOf = ({ query, bytes }: KeyedRequest): string =>
  hash('sha256', query === '' ? bytes : Buffer.concat([Buffer.from(`${query}\n`), bytes]), 'hex');

/** The stored answer to the same request. A different request with the same key is refused. */
export async function storedAnswer(
  db: Database,
  keys: Keys,
  request: KeyedRequest,
): Promise<Answer | undefined> {
  const stored = await db
    .selectFrom('idempotency_keys')
    .select(['body_hash', 'answer'])
    .where('token_id', '=', request.tokenId)
    .where('target', '=', request.target)
    .where('key', '=', request.key)
    .executeTakeFirst();
  if (!stored) return undefined;
  if (stored.body_hash !== hashOf(request)) {
    throw unprocessable(
      'This Idempotency-Key was used with a different body or query. Use a new key for a new request.',
    );
  }
  const answer = JSON.parse(keys.open(PURPOSE, stored.answer)) as Answer;
  return { ...answer, headers: { ...answer.headers, 'idempotency-replayed': 'true' } };
}

/** Under `repeatable read`, an answer that was stored since the snapshot shows only as a unique violation. */
export const isStoredMeanwhile = (error: unknown): boolean =>
  (error as { constraint?: string } | undefined)?.constraint === 'idempotency_keys_pkey';

/** Answers are stored for a day. */
export async function deleteOldAnswers(db: Database): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', sql<Date>`now() - interval '24 hours'`)
    .execute();
}

const stillRunning = () =>
  new ApiError(409, 'A request with this Idempotency-Key is still running. Retry in a moment.', {
    headers: { 'retry-after': '1' },
  });

/** Held until the transaction ends. A concurrent request with the same key is refused; it does not wait. */
async function tryLockKey(db: Database, request: KeyedRequest): Promise<boolean> {
  const name = `${request.tokenId} ${request.target} ${request.key}`;
  const lock = await sql<{
    ok: boolean;
  }>`select pg_try_advisory_xact_lock(hashtextextended(${name}, 42)) as ok`.execute(db);
  return lock.rows[0]?.ok === true;
}

async function actOrConflict(
  db: Database,
  constraints: ConstraintMessages,
  act: () => Promise<Answer>,
): Promise<Answer> {
  await sql`savepoint act`.execute(db);
  try {
    const answer = await act();
    // Waits for pipelined statements, while a refusal can still be stored.
    await sql`release savepoint act`.execute(db);
    return answer;
  } catch (thrown) {
    const error = toApiError(thrown, constraints);
    if (error?.status !== 409) throw thrown;
    await sql`rollback to savepoint act`.execute(db);
    return { status: 409, headers: { ...ERROR_HEADERS, ...error.headers }, body: errorBody(error) };
  }
}
