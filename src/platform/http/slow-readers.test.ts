import { once } from 'node:events';
import net from 'node:net';
import { Readable } from 'node:stream';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createHeldBytes } from './held-bytes.ts';
import { cutSlowReader } from './slow-readers.ts';

const MEGABYTE = 1024 * 1024;

let app: FastifyInstance;
let port: number;
const sockets: net.Socket[] = [];

beforeEach(async () => {
  const unsent = createHeldBytes('large responses');
  app = fastify({ forceCloseConnections: true });
  app.addHook('onSend', (_request, reply, payload, done) => {
    cutSlowReader(reply, payload);
    done(null, payload);
  });
  app.get('/bytes', (_request, reply) => reply.send(Buffer.alloc(32 * MEGABYTE)));
  app.get('/stream', (_request, reply) =>
    reply.send(Readable.from(Array.from({ length: 512 }, () => Buffer.alloc(64 * 1024)))),
  );
  app.get('/held/:caller', (request, reply) => {
    unsent.of((request.params as { caller: string }).caller, reply)(50 * MEGABYTE);
    return reply.send(Buffer.alloc(32 * MEGABYTE));
  });
  app.setErrorHandler((error: { status?: number }, _request, reply) =>
    reply.code(error.status ?? 500).send('{}'),
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as net.AddressInfo).port;
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const socket of sockets.splice(0)) socket.destroy();
  await app.close();
});

/** Asks, and reads nothing until it is told to. */
function ask(path: string): net.Socket {
  const socket = net.connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => {});
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: octavo.test\r\n\r\n`);
  return socket;
}

const statusOf = async (path: string): Promise<string | undefined> => {
  const socket = ask(path).resume();
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  return / (\d+) /.exec(chunk.toString('latin1'))?.[1];
};

/** The half minute of a client that reads nothing passes in a moment. */
function hurry(): void {
  const { setTimeout: original } = net.Socket.prototype;
  vi.spyOn(net.Socket.prototype, 'setTimeout').mockImplementation(function (this: net.Socket, ms, ...rest) {
    return original.call(this, ms === 30_000 ? 300 : ms, ...rest);
  });
}

describe('a client that does not read its answer', () => {
  test.each(['/bytes', '/stream'])('is disconnected: %s', async (path) => {
    hurry();
    const [server] = (await Promise.all([once(app.server, 'connection'), ask(path)]))[0] as [net.Socket];
    await once(server, 'close');
    expect(server.destroyed).toBe(true);
  });

  test('gets all of it when it reads', async () => {
    let received = 0;
    for await (const chunk of ask('/bytes')) {
      received += (chunk as Buffer).length;
      if (received > 32 * MEGABYTE) break;
    }
    expect(received).toBeGreaterThan(32 * MEGABYTE);
  });
});

describe('large answers that are not read', () => {
  test('are limited for a caller, and in total, until they are read or given up', async () => {
    expect([await statusOf('/held/a'), await statusOf('/held/a')]).toEqual(['200', '200']);
    expect(await statusOf('/held/a')).toBe('429');
    expect([await statusOf('/held/b'), await statusOf('/held/b'), await statusOf('/held/c')]).toEqual([
      '200',
      '200',
      '200',
    ]);
    expect(await statusOf('/held/d')).toBe('503');
    sockets[0]?.destroy();
    await expect.poll(() => statusOf('/held/a')).toBe('200');
  });
});
