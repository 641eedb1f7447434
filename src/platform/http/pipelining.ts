import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The response to the last request of each connection. */
const latest = new WeakMap<Socket, ServerResponse>();

/** Whether the last request on a connection is not fully answered. */
export function isAnswering(socket: Socket): boolean {
  const response = latest.get(socket);
  return response !== undefined && !response.writableFinished;
}

/** Records that a response is being sent: the next request on its connection waits for it. */
export const recordResponse = (socket: Socket, response: ServerResponse): void =>
  void latest.set(socket, response);

/**
 * Calls `serve` when the previous answer on the connection is sent. Node starts all pipelined requests at once, so that
 * one small packet could make the server hold a thousand large answers.
 */
export function afterPrevious(request: FastifyRequest, reply: FastifyReply, serve: () => void): void {
  const { socket } = request.raw;
  const previous = latest.get(socket);
  recordResponse(socket, reply.raw);
  if (!previous || previous.writableFinished) return serve();
  previous.once('close', () => {
    // The client disconnected: its waiting requests are dropped.
    if (socket.destroyed) void reply.hijack();
    else serve();
  });
}
