import type { FastifyReply, FastifyRequest } from 'fastify';
import { admit } from './admit.ts';
import { isLargeBody } from './early-admission.ts';
import { keyedRequest, storedAnswer } from './idempotency.ts';
import { contextOf, type Kernel } from './kernel.ts';
import type { Answer } from './perform.ts';
import type { Plan } from './endpoint.ts';
import { createQueue, type Waiting } from './keyed-queue.ts';
import { sentBody, type SentBody } from './request-body.ts';
import { isConditional, transact, transactAll, type Write } from './transaction.ts';

/** Serves the requests of an operation that changes something. */
export function writer(
  kernel: Kernel,
  plan: Plan,
): (request: FastifyRequest, reply: FastifyReply) => Promise<Answer> {
  const { operation } = plan;
  const queue = createQueue<Write & Waiting, Answer>((writes) => transactAll(kernel, plan, writes));

  return async (request, reply) => {
    const sent = sentBody(plan, request);
    // The caller of a large body was admitted before it was read: nothing of it needs to wait for the transaction.
    const isLarge = isLargeBody(request.headers);
    if (isLarge) await sent.readInSteps();
    const prepared =
      operation.prepare && mayNeedPreparing(plan, sent, isLarge)
        ? await prepare(kernel, plan, request, reply, sent)
        : undefined;
    if (prepared?.answer) return prepared.answer;
    const write = { request, reply, sent, prepared: prepared?.value };
    const params = operation.queue && plan.params(request.params);
    if (!params || params.error) return transact(kernel, plan, write);
    const key = operation.queue?.(params.value as never) ?? '';
    return queue(key, { ...write, mayJoin: mayJoin(plan, request), bytes: sent.bytes.length });
  };
}

/** What compares or is stored with its key is a transaction of its own. */
const mayJoin = ({ operation }: Plan, request: FastifyRequest): boolean =>
  operation.handleAll !== undefined &&
  !isConditional(request) &&
  request.headers['idempotency-key'] === undefined;

/** Of a small body only the bytes are asked: its caller was not admitted yet, so nothing of it may be parsed. */
const mayNeedPreparing = ({ operation }: Plan, sent: SentBody, isLarge: boolean): boolean =>
  (isLarge ? operation.needsPreparing?.(sent.read() as never) : operation.mayNeedPreparing?.(sent.bytes)) ??
  true;

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
  const keyed = caller && keyedRequest(plan.operation, request, caller.id, sent.bytes);
  const answer = keyed && (await storedAnswer(db, kernel.context.keys, keyed));
  if (answer) return { answer };
  if (plan.operation.needsPreparing?.(body as never) === false) return {};
  const ctx = contextOf(kernel, db, caller, now);
  const input = { ctx, params, query, body, target } as never;
  return { value: await plan.operation.prepare?.(input) };
}
