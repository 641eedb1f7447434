import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from './endpoint.ts';
import type { Kernel } from './kernel.ts';
import { reader } from './serve-read.ts';
import { writer, type WriteQueue } from './serve-write.ts';

/** Serves the requests of an operation: each a read, or a transaction. */
export function routeHandler(
  kernel: Kernel,
  queue: WriteQueue,
  endpoint: Endpoint,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const answerTo =
    endpoint.operation.method === 'GET' ? reader(kernel, endpoint) : writer(kernel, queue, endpoint);
  return async (request, reply) => {
    const answer = await answerTo(request, reply);
    // Undefined, not an empty string, which would be sent as `text/plain`: a cache would store that type from a 304.
    return reply
      .code(answer.status)
      .headers(answer.headers)
      .send(answer.body === '' ? undefined : answer.body);
  };
}
