import { Server, type Socket } from 'node:net';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

const LOOK_EVERY_MS = 20;
/** How often we look before who keeps a connection open and says nothing is closed on: after about a second. */
const SILENT_LOOKS = 50;
/** Whatever is still being answered then is cut off, so that the program ends within 10 s. */
const LONGEST_MS = 8_000;

/**
 * Ends connections without losing a request: one may be under way on a connection that looks idle from here. So the
 * door is shut first; who then sends a request is answered with `Connection: close` (Fastify does that while it
 * closes); and only those who stay silent are closed on. Looks are counted, not seconds: when the machine is so busy
 * that we sleep through a second, what came meanwhile is read between two looks.
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
    // Those whom the system has let in already come in first, rather than be thrown out unheard.
    await turn();
    // Not http's own `close`, which ends idle connections at once.
    Server.prototype.close.call(app.server);
    const begun = Date.now();
    for (let looks = 0; open.size > 0; looks++) {
      const isOver = Date.now() - begun > LONGEST_MS;
      for (const socket of open) {
        if (isOver || (looks > SILENT_LOOKS && !busy.has(socket))) socket.destroy();
      }
      await delay(LOOK_EVERY_MS);
    }
  });
}
