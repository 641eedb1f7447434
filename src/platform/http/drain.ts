import type { Socket } from 'node:net';
import { Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** Nobody is asked to wait longer for those who keep a connection open and say nothing. */
const SILENT_MS = 500;
/** Whatever is still being answered then is cut off, so that the program ends within 10 s. */
const LONGEST_MS = 8_000;
const LOOK_EVERY_MS = 20;

/**
 * Ends connections without losing a request: one may be under way on a connection that looks idle from here. So the
 * door is shut first; who then sends a request is answered with `Connection: close` (Fastify does that while it
 * closes); and only those who stay silent are closed on.
 */
export function drainOnClose(app: FastifyInstance): void {
  const open = new Set<Socket>();
  const busy = new Set<Socket>();
  app.server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  app.server.on('request', ({ socket }, response) => {
    busy.add(socket);
    response.once('close', () => busy.delete(socket));
  });

  app.addHook('preClose', async () => {
    // Not http's own `close`, which ends idle connections at once.
    Server.prototype.close.call(app.server);
    const begun = Date.now();
    while (open.size > 0) {
      const waited = Date.now() - begun;
      for (const socket of open) {
        if (waited > (busy.has(socket) ? LONGEST_MS : SILENT_MS)) socket.destroy();
      }
      await delay(LOOK_EVERY_MS);
    }
  });
}
