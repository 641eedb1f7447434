import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kernel } from './kernel.ts';
import type { Plan } from './endpoint.ts';
import { reader } from './serve-read.ts';
import { writer } from './serve-write.ts';

/** Serves the requests of an operation: each a read, or a transaction. */
export function serving(
  kernel: Kernel,
  plan: Plan,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const answerTo = (plan.operation.method === 'GET' ? reader : writer)(kernel, plan);
  return async (request, reply) => {
    const answer = await answerTo(request, reply);
    // Nothing is sent as nothing: an empty text would be `text/plain`, and a cache would take a 304 at its word.
    return reply
      .code(answer.status)
      .headers(answer.headers)
      .send(answer.body === '' ? undefined : answer.body);
  };
}
