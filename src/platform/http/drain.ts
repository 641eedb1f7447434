import { Server, type Socket } from 'node:net';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { isAnswering } from './receive/pipelining.ts';

const POLL_MS = 20;
/** An idle connection is closed after this many polls: about a second. */
const MAX_IDLE_POLLS = 50;
/** Requests that are still running then are cut off, so that the program ends within 10 s. */
const MAX_DRAIN_MS = 8_000;

/**
 * Closes connections without losing a request: one may be in transit on a connection that looks idle. First no new
 * connection is accepted; requests on open ones are answered with `Connection: close` (by Fastify); then connections that
 * stay idle are closed. Requests that wait behind another one of their connection are dropped, as HTTP allows. Polls are counted, not seconds: on a machine so busy that a second passes unnoticed, requests that
 * arrived meanwhile are read between two polls.
 *
 * No `close` listener is added to every response: in Node 20 it makes V8 retain all responses until the next major garbage
 * collection, once one of them has been promoted to the old generation.
 */
export function drainOnClose(app: FastifyInstance): void {
  const open = new Set<Socket>();
  app.server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });

  app.addHook('preClose', async () => {
    // Connections that the system has accepted already are taken first, rather than reset.
    await turn();
    // Not http's own `close`, which closes idle connections at once.
    Server.prototype.close.call(app.server);
    const begun = Date.now();
    for (let polls = 0; open.size > 0; polls++) {
      const isOver = Date.now() - begun > MAX_DRAIN_MS;
      for (const socket of open) {
        if (isOver || (polls > MAX_IDLE_POLLS && !isAnswering(socket))) socket.destroy();
      }
      await delay(POLL_MS);
    }
  });
}
