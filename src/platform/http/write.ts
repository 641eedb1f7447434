import type { FastifyReply, FastifyRequest } from 'fastify';
import { isRetryable } from '../database/connection.ts';
import { badRequest } from '../errors.ts';
import { admit } from './admit.ts';
import { readJson } from './body.ts';
import { isStoredMeanwhile, once, requireUsableKey, storedAnswer, type KeyedRequest } from './idempotency.ts';
import { contextOf, type Kernel } from './kernel.ts';
import { perform, type Answer } from './perform.ts';
import type { Plan } from './plan.ts';
import { createQueue } from './queue.ts';

const MAX_TRIES = 5;
const NO_BYTES = Buffer.alloc(0);

const queue = createQueue();

export async function write(
  kernel: Kernel,
  plan: Plan,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Answer> {
  const { operation } = plan;
  const sent = sentBody(plan, request);
  const prepared =
    operation.prepare && mayNeedPreparing(plan, sent)
      ? await prepare(kernel, plan, request, reply, sent)
      : undefined;
  if (prepared?.answer) return prepared.answer;
  const run = () => transact(kernel, plan, request, reply, sent, prepared?.value);
  const params = operation.queue && plan.params(request.params);
  return params && 'value' in params
    ? queue(`${operation.id} ${operation.queue?.(params.value as never)}`, run)
    : run();
}

/** The body of a request. What is wrong with it is said when it is read: after all that comes before it. */
interface SentBody {
  readonly bytes: Buffer;
  read(): unknown;
}

function sentBody(plan: Plan, request: FastifyRequest): SentBody {
  const bytes = Buffer.isBuffer(request.body) ? request.body : NO_BYTES;
  let known: { readonly value: unknown } | undefined;
  return { bytes, read: () => (known ??= { value: readBody(plan, request, bytes) }).value };
}

/** What anybody may make us read, before we know who they are. */
const MOST_UNASKED = 1024 * 1024;

/** A body that cannot be read is refused in its turn. */
function mayNeedPreparing({ operation }: Plan, sent: SentBody): boolean {
  if (sent.bytes.length > MOST_UNASKED) return true;
  try {
    return operation.needsPreparing?.(sent.read() as never) ?? true;
  } catch {
    return false;
  }
}

/** All that can refuse the request is asked first, and again inside the transaction: much may change meanwhile. */
async function prepare(
  kernel: Kernel,
  plan: Plan,
  request: FastifyRequest,
  reply: FastifyReply,
  sent: SentBody,
): Promise<{ readonly answer?: Answer | undefined; readonly value?: unknown }> {
  const { db } = kernel.connection;
  const { caller, now, params, query, target } = await admit(kernel, plan, request, reply, db, undefined);
  const body = sent.read();
  const keyed = caller && keyedRequest(plan, request, caller.id, sent.bytes);
  const answer = keyed && (await storedAnswer(db, kernel.context.keys, keyed));
  if (answer) return { answer };
  const ctx = contextOf(kernel, db, caller, now);
  const input = { ctx, params, query, body, target } as never;
  return { value: await plan.operation.prepare?.(input) };
}

/** Decides on the database alone, inside the transaction that acts. */
async function transact(
  kernel: Kernel,
  plan: Plan,
  request: FastifyRequest,
  reply: FastifyReply,
  sent: SentBody,
  prepared: unknown,
): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const transaction = kernel.connection.db.transaction();
    // With a precondition, whoever changes the target meanwhile makes this fail and try again: compare-and-set. Where
    // any version will do there is nothing to compare, and many at once would only make each other fail.
    const isolated =
      (request.headers['if-match'] ?? '*').trim() !== '*'
        ? transaction.setIsolationLevel('repeatable read')
        : transaction;
    try {
      return await isolated.execute(async (db) => {
        const admitted = await admit(kernel, plan, request, reply, db, undefined);
        const body = sent.read();
        const act = () => perform(kernel, plan, request, db, admitted, body, prepared);
        const keyed = admitted.caller && keyedRequest(plan, request, admitted.caller.id, sent.bytes);
        return keyed ? once(db, kernel.context.keys, keyed, kernel.constraints, act) : act();
      });
    } catch (error) {
      if (tries === MAX_TRIES || !(isRetryable(error) || isStoredMeanwhile(error))) throw error;
    }
  }
}

function keyedRequest(
  plan: Plan,
  request: FastifyRequest,
  callerId: string,
  bytes: Buffer,
): KeyedRequest | undefined {
  const key = plan.operation.method === 'POST' ? request.headers['idempotency-key'] : undefined;
  if (typeof key !== 'string') return undefined;
  requireUsableKey(key);
  return { callerId, key, target: `${request.method} ${request.url.split('?')[0]}`, bytes };
}

function readBody(plan: Plan, request: FastifyRequest, bytes: Buffer): unknown {
  const { operation } = plan;
  if (!operation.body) return undefined;
  if (bytes.length === 0) {
    if (operation.bodyOptional) return {};
    throw badRequest('This operation needs a JSON body.');
  }
  const checked = plan.body(readJson(request.headers['content-type'], bytes));
  if (checked.error) throw checked.error;
  return checked.value;
}
