import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

const latest = new WeakMap<object, ServerResponse>();

/**
 * Calls `serve` when the answer before it on the same connection is sent. Node begins every request that a client has
 * pipelined at once, so that one small write could make the server hold a thousand large answers.
 */
export function afterPrevious(request: FastifyRequest, reply: FastifyReply, serve: () => void): void {
  const { socket } = request.raw;
  const previous = latest.get(socket);
  latest.set(socket, reply.raw);
  if (!previous || previous.writableFinished) return serve();
  previous.once('close', () => {
    // The client has left: none of the requests that wait is worth any work.
    if (socket.destroyed) void reply.hijack();
    else serve();
  });
}
