import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kernel } from './kernel.ts';
import type { Plan } from './plan.ts';
import { read } from './read.ts';
import { write } from './write.ts';

/** Serves one request of an operation: a read, or one transaction. */
export async function serve(
  kernel: Kernel,
  plan: Plan,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const answer = await (plan.operation.method === 'GET' ? read : write)(kernel, plan, request, reply);
  // Nothing is sent as nothing: an empty text would be `text/plain`, and a cache would take a 304 at its word.
  return reply
    .code(answer.status)
    .headers(answer.headers)
    .send(answer.body === '' ? undefined : answer.body);
}
