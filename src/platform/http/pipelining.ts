import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

const latest = new WeakMap<object, ServerResponse>();

/**
 * Calls `serve` when the previous answer on the connection is sent. Node starts all pipelined requests at once, so that
 * one small packet could make the server hold a thousand large answers.
 */
export function afterPrevious(request: FastifyRequest, reply: FastifyReply, serve: () => void): void {
  const { socket } = request.raw;
  const previous = latest.get(socket);
  latest.set(socket, reply.raw);
  if (!previous || previous.writableFinished) return serve();
  previous.once('close', () => {
    // The client disconnected: its waiting requests are dropped.
    if (socket.destroyed) void reply.hijack();
    else serve();
  });
}
