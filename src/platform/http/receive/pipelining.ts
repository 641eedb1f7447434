import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

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

/** Requests that wait on one connection. No client sends as many ahead: the connection is closed. */
const MAX_WAITING = 64;
const waiting = new WeakMap<Socket, number>();

/**
 * Routes the requests of a connection one after the other, each when the answer to the previous one is sent, and in a turn
 * of its own. Node emits all pipelined requests of a packet at once: they would take a second, and hold a thousand large
 * answers.
 */
export function routeInTurn(server: Server): void {
  const [route] = server.listeners('request') as RequestListener[];
  if (!route) throw new Error('The server has no router');
  server.off('request', route).on('request', (request, response) => {
    const { socket } = request;
    const previous = latest.get(socket);
    recordResponse(socket, response);
    if (!previous || previous.writableFinished) return route(request, response);
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    if (count > MAX_WAITING) return void socket.destroy();
    previous.once('close', () =>
      setImmediate(() => {
        waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
        // Without a way to answer them, waiting requests are dropped.
        if (socket.writable) route(request, response);
      }),
    );
  });
}
