import type { FastifyReply, FastifyRequest } from 'fastify';
import { admit } from '../admit/admit.ts';
import { isLargeBody } from '../receive/body-bytes.ts';
import type { Endpoint } from '../endpoint.ts';
import { keyedRequest, storedAnswer } from './idempotency.ts';
import { contextOf, type Kernel } from '../kernel.ts';
import { createKeyedQueue, type QueuedWork } from './keyed-queue.ts';
import type { Answer } from '../answer/answer.ts';
import { requireScopes } from './perform.ts';
import { requestBody, type RequestBody } from '../receive/request-body.ts';
import { isConditional, transact, transactAll, type Write } from './transaction.ts';

/** The queue of all operations: those that lock the same rows declare the same key. */
export type WriteQueue = (key: string, write: Write & QueuedWork) => Promise<Answer>;

export const createWriteQueue = (kernel: Kernel): WriteQueue =>
  createKeyedQueue((writes) => transactAll(kernel, writes));

/** Serves the requests of an operation that changes something. */
export function writer(
  kernel: Kernel,
  queue: WriteQueue,
  endpoint: Endpoint,
): (request: FastifyRequest, reply: FastifyReply) => Promise<Answer> {
  const { operation } = endpoint;

  const submit = (write: Write): Promise<Answer> => {
    const params = operation.queue && endpoint.params(write.request.params);
    if (!operation.queue || !params || params.error) return transact(kernel, write);
    const key = operation.queue(params.value);
    return queue(key, { ...write, isBatchable: isBatchable(write), bytes: write.body.bytes.length });
  };

  return async (request, reply) => {
    const body = requestBody(endpoint, request);
    // The caller of a large body was admitted before it was read: it is parsed before the transaction, which would be open meanwhile.
    if (isLargeBody(request.headers)) body.read();
    const prepared =
      operation.prepare && (operation.mayNeedPreparing?.(body.bytes) ?? true)
        ? await prepare(kernel, endpoint, request, reply, body)
        : undefined;
    if (prepared?.answer) return prepared.answer;
    return submit({ endpoint, request, reply, body, prepared: prepared?.value });
  };
}

/** A precondition or a stored answer needs a transaction of its own. */
const isBatchable = ({ endpoint, request }: Write): boolean =>
  endpoint.operation.handleAll !== undefined &&
  !isConditional(request) &&
  request.headers['idempotency-key'] === undefined;

/** Everything that can refuse the request is checked first, and again inside the transaction: it may have changed. */
async function prepare(
  kernel: Kernel,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  sent: RequestBody,
): Promise<{ readonly answer?: Answer | undefined; readonly value?: unknown }> {
  const { db } = kernel.connection;
  const { operation } = endpoint;
  const admitted = await admit(kernel, endpoint, request, reply, db, undefined);
  const { caller, now, params, query, target } = admitted;
  const body = sent.read();
  requireScopes(kernel, endpoint, { admitted, body });
  const keyed = caller && keyedRequest(operation, request, caller, sent);
  const answer = keyed && (await storedAnswer(db, kernel.context.keys, keyed));
  if (answer) return { answer };
  const ctx = contextOf(kernel, db, caller, now);
  const input = {
    ctx,
    params,
    query,
    body,
    target,
    // A getter: Fastify creates the signal when it is first read.
    get signal() {
      return request.signal;
    },
  };
  return { value: await operation.prepare?.(input) };
}
