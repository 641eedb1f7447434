import { once } from 'node:events';
import net from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { startApp, type TestApp } from '../../../../test/app.ts';
import { listening } from '../../../../test/socket.ts';
import { aSide, type Side } from '../../../../test/world.ts';
import { createHeldBytes } from '../receive/held-bytes.ts';
import { page } from '../pages/page.ts';
import { sendReadyAnswers } from '../pages/ready-answers.ts';

const MEGABYTE = 1024 * 1024;

let app: TestApp;
let side: Side;
let port: number;
const sockets: net.Socket[] = [];

beforeAll(async () => {
  const get = { method: 'GET' } as const;
  const bytes = async () => ({ status: 200, body: Buffer.alloc(32 * MEGABYTE) });
  const chunks = Array.from({ length: 512 }, () => Buffer.alloc(64 * 1024));
  const stream = async () => ({ status: 200, body: Readable.from(chunks) });
  app = await startApp({
    pages: [
      page({ ...get, path: '/bytes', handle: bytes }),
      page({ ...get, path: '/stream', handle: stream }),
    ],
  });
  side = await aSide(app, 'alpha');
  ({ port } = await listening(app));
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Asks, and reads nothing until it is told to. */
function ask(path: string, to = port): net.Socket {
  const socket = net.connect(to, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => {});
  socket.pause();
  const token = `Authorization: Bearer ${side.admin.token}`;
  socket.write(`GET ${path} HTTP/1.1\r\nHost: octavo.test\r\n${token}\r\n\r\n`);
  return socket;
}

const statusOf = async (path: string, from = port): Promise<string | undefined> => {
  const socket = ask(path, from).resume();
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
    const [server] = (await Promise.all([once(app.app.server.server, 'connection'), ask(path)]))[0] as [
      net.Socket,
    ];
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

describe('a client that reads none of the ready answers it asks for', () => {
  let server: FastifyInstance;
  beforeAll(async () => {
    server = fastify({ forceCloseConnections: true });
    const answer = { status: 200, type: 'text/html', etag: '"1"', cacheControl: 'no-cache' };
    const ready = { ...answer, body: Buffer.alloc(60 * 1024) };
    sendReadyAnswers(server, app.app.context, '', () => ready);
    await server.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => server.close());

  test('is disconnected when the buffers of the system are full', async () => {
    hurry();
    const connected = once(server.server, 'connection');
    const client = ask('/', (server.server.address() as net.AddressInfo).port);
    const [socket] = (await connected) as [net.Socket];
    const closed = once(socket, 'close');
    while (socket.writableLength === 0) {
      client.write('GET / HTTP/1.1\r\nHost: octavo.test\r\n\r\n');
      await setTimeout(1);
    }
    await closed;
    expect(socket.destroyed).toBe(true);
  });
});

describe('large answers that are not read', () => {
  let server: FastifyInstance;
  beforeAll(async () => {
    const unsent = createHeldBytes('large responses');
    server = fastify({ forceCloseConnections: true });
    server.get('/held/:caller', (request, reply) => {
      unsent.of((request.params as { caller: string }).caller, reply)(50 * MEGABYTE);
      return reply.send(Buffer.alloc(32 * MEGABYTE));
    });
    server.setErrorHandler((error: { status?: number }, _request, reply) =>
      reply.code(error.status ?? 500).send('{}'),
    );
    await server.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => server.close());

  test('are limited for a caller, and in total, until they are read or given up', async () => {
    const { port: heldPort } = server.server.address() as net.AddressInfo;
    const held = (caller: string) => statusOf(`/held/${caller}`, heldPort);
    expect([await held('a'), await held('a')]).toEqual(['200', '200']);
    expect(await held('a')).toBe('429');
    expect([await held('b'), await held('b'), await held('c')]).toEqual(['200', '200', '200']);
    expect(await held('d')).toBe('503');
    sockets[0]?.destroy();
    await expect.poll(() => held('a')).toBe('200');
  });

  test('are limited for a caller of the API', async () => {
    await app.sql('alter table teams drop constraint teams_title_check');
    await app.sql(
      `insert into teams (id, organization_id, title)
       select 'team' || n, $1, repeat('x', 1000000) from generate_series(1, 50) n`,
      [side.organizationId],
    );
    const teams = `/v1/orgs/${side.organizationId}/teams?limit=50`;
    expect([await statusOf(teams), await statusOf(teams)]).toEqual(['200', '200']);
    expect(await statusOf(teams)).toBe('429');
  });
});
