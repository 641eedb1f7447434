import type { FastifyReply, FastifyRequest } from 'fastify';
import { admit } from './admit.ts';
import { keyedRequest, storedAnswer } from './idempotency.ts';
import { contextOf, type Kernel } from './kernel.ts';
import type { Answer } from './perform.ts';
import type { Plan } from './plan.ts';
import { createQueue, type Waiting } from './queue.ts';
import { sentBody, type SentBody } from './sent-body.ts';
import { isConditional, transact, transactAll, type Write } from './transact.ts';

/** Serves the requests of an operation that changes something. */
export function writer(
  kernel: Kernel,
  plan: Plan,
): (request: FastifyRequest, reply: FastifyReply) => Promise<Answer> {
  const { operation } = plan;
  const queue = createQueue<Write & Waiting, Answer>((writes) => transactAll(kernel, plan, writes));

  return async (request, reply) => {
    const sent = sentBody(plan, request);
    const prepared =
      operation.prepare && mayNeedPreparing(plan, sent)
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
  const keyed = caller && keyedRequest(plan.operation, request, caller.id, sent.bytes);
  const answer = keyed && (await storedAnswer(db, kernel.context.keys, keyed));
  if (answer) return { answer };
  const ctx = contextOf(kernel, db, caller, now);
  const input = { ctx, params, query, body, target } as never;
  return { value: await plan.operation.prepare?.(input) };
}
