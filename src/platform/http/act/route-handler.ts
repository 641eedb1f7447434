import type { FastifyReply, FastifyRequest } from 'fastify';
import { isRead } from '../../api/operation.ts';
import { MAX_SMALL, TooLargeHere } from '../../api/too-large-here.ts';
import { admit } from '../admit/admit.ts';
import { admitVisitor, visitorTokenOf } from '../admit/admit-visitor.ts';
import type { Answer } from '../answer/answer.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Kernel } from '../kernel.ts';
import { reader } from './serve-read.ts';
import { serveVisitor } from './serve-visitor.ts';
import { writer, type WriteQueue } from './serve-write.ts';

/** Serves the requests of an operation: each a read, or a transaction. */
export function routeHandler(
  kernel: Kernel,
  queue: WriteQueue,
  endpoint: Endpoint,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const answerTo = isRead(endpoint.operation) ? reader(kernel, endpoint) : writer(kernel, queue, endpoint);
  const serve = (request: FastifyRequest, reply: FastifyReply): Promise<Answer> => {
    const token = visitorTokenOf(request);
    return token === undefined
      ? answerTo(request, reply)
      : serveVisitor(kernel, endpoint, request, reply, token);
  };
  const { forward } = kernel;
  return async (request, reply) => {
    if (forward && (await isHeavy(kernel, endpoint, request, reply))) return forward(request, reply);
    let answer: Answer;
    try {
      answer = await serve(request, reply);
    } catch (error) {
      if (forward && error instanceof TooLargeHere) return forward(request, reply);
      throw error;
    }
    // Undefined, not an empty string, which would be sent as `text/plain`: a cache would store that type from a 304.
    return reply
      .code(answer.status)
      .headers(answer.headers)
      .send(answer.body === '' ? undefined : answer.body);
  };
}

/** Admits the caller of a heavy operation: unauthorised requests must not wait for the heavy process. */
async function isHeavy(
  kernel: Kernel,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  // Its caller was admitted before it was read.
  if (Buffer.isBuffer(request.body) && request.body.length > MAX_SMALL.body) return true;
  if (!endpoint.operation.isHeavy) return false;
  const token = visitorTokenOf(request);
  if (token === undefined) await admit(kernel, endpoint, request, reply, kernel.connection.db, kernel.cache);
  else await admitVisitor(kernel, endpoint, request, reply, token);
  return true;
}
