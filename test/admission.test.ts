import { once } from 'node:events';
import net from 'node:net';
import pg from 'pg';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { operations } from '../src/domains/index.ts';
import { startApp, type TestApp } from './app.ts';
import { contentsOf, insert, type Contents } from './content.ts';
import { expectError } from './refusal.ts';
import { sampleOf } from './sample.ts';
import { listening, type RawAnswer, type Wire } from './socket.ts';
import { aPerson, aWorld, type World } from './world.ts';

const MEGABYTE = 1024 * 1024;
const MARKER = 'nobody should have read this';

let app: TestApp;
let world: World;
let contents: Contents;
let space: string;
let wire: Wire;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  contents = contentsOf(app, world.a);
  space = await contents.aSpace();
  wire = await listening(app);
});
afterEach(() => vi.restoreAllMocks());

/** Without those that anyone may call. */
const withBody = operations.filter(({ body, access }) => body && access.kind !== 'anyone');
const placeholderPath = (path: string) => path.replaceAll(/\{\w+\}/g, 'x');

/** A request of which only the headers and the first chunk of the body ever arrive. */
const unfinished = (method: string, path: string, lines: readonly string[]): string => {
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: octavo.test',
    'Content-Type: application/json',
    ...lines,
  ];
  return `${head.join('\r\n')}\r\n\r\n${lines.some((line) => line.includes('chunked')) ? '5\r\n{"a":\r\n' : '{"a":'}`;
};

const SHAPES = {
  small: ['Content-Length: 100'],
  large: [`Content-Length: ${MEGABYTE}`],
  endless: ['Transfer-Encoding: chunked'],
  compressed: ['Content-Length: 100', 'Content-Encoding: br'],
};

const bearer = (token: string) => `Authorization: Bearer ${token}`;
const closes = ({ text }: RawAnswer) => /\r\nconnection: close\r\n/i.test(text);

/** All bytes that the server sends on a connection, until both sides have closed it. */
const readUntilClosed = (begin: (socket: net.Socket) => void): Promise<string> =>
  new Promise((resolve, reject) => {
    let received = '';
    const socket = net.connect({ port: wire.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', reject);
    socket.setEncoding('utf8').on('data', (chunk) => (received += chunk));
    socket.on('end', () => socket.end());
    socket.on('close', () => resolve(received));
    begin(socket);
  });

describe('a request without a valid token', () => {
  test.each(withBody.map((operation) => [operation.id, operation] as const))(
    '%s is refused before its body arrives',
    async (_id, operation) => {
      const path = placeholderPath(operation.path);
      for (const [shape, lines] of Object.entries(SHAPES)) {
        const answer = await wire.begin(unfinished(operation.method, path, lines));
        expect([shape, answer.status, answer.error?.code]).toEqual([shape, 401, 401]);
        expect(closes(answer), shape).toBe(true);
      }
      const lines = [...SHAPES.large, bearer('ov_wrong')];
      expect((await wire.begin(unfinished(operation.method, path, lines))).status).toBe(401);
    },
  );

  test('keeps its connection open if its body has arrived', async () => {
    const request = `${unfinished('POST', '/v1/user/tokens', ['Content-Length: 7']).slice(0, -5)}{"a":1}`;
    const last = 'GET /v1/ HTTP/1.1\r\nHost: octavo.test\r\nConnection: close\r\n\r\n';
    const text = await readUntilClosed((socket) => socket.write(request + request + last));
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 401', 'HTTP/1.1 200']);
  });

  test('gets 404 immediately for an unknown operation', async () => {
    for (const lines of Object.values(SHAPES)) {
      expect((await wire.begin(unfinished('POST', '/v1/nowhere', lines))).status).toBe(404);
      expect((await wire.begin(unfinished('POST', '/nowhere', lines))).status).toBe(404);
    }
  });

  test('gets 429 immediately while its address is rate limited', async () => {
    const limited = await startApp({ environment: { OCTAVO_RATE_LIMIT: '10' } });
    const { begin } = await listening(limited);
    const send = () => begin(unfinished('POST', '/v1/spaces/x/content', SHAPES.endless));
    const statuses = [(await send()).status, (await send()).status, (await send()).status];
    expect(statuses.at(-1)).toBe(429);
    const { token } = await aPerson(limited, 'greedy');
    for (let i = 0; i < 10; i++) await limited.call('GET', '/v1/user', { token });
    const lines = [...SHAPES.small, bearer(token)];
    expect((await begin(unfinished('POST', '/v1/spaces/x/content', lines))).status).toBe(429);
  });
});

describe('a caller without permission', () => {
  test.each(withBody.map((operation) => [operation.id, operation] as const))(
    '%s: is refused before a large body is read, and before a small one is parsed',
    async (_id, operation) => {
      if (operation.access.kind !== 'target' || operation.access.resource.isOpen || !operation.params) return;
      const { method, url } = await sampleOf(app, operation, world.a);
      const token = world.stranger.token;
      for (const shape of ['large', 'endless', 'compressed'] as const) {
        const answer = await wire.begin(unfinished(method, url, [...SHAPES[shape], bearer(token)]));
        expect([shape, answer.status, closes(answer)]).toEqual([shape, 404, true]);
      }
      const parse = vi.spyOn(JSON, 'parse');
      expectError(await app.call(method, url, { token, raw: `{"a":"${MARKER}"}` }), 404);
      expect(parse.mock.calls.filter(([text]) => text.includes(MARKER))).toEqual([]);
      vi.restoreAllMocks();
    },
  );

  test('is refused without a body, too', async () => {
    const headers = { 'content-encoding': 'gzip' };
    expectError(await app.call('POST', `${space}/content`, { headers }), 401);
    expectError(await app.call('POST', `${space}/content`, { headers, token: world.stranger.token }), 404);
    expectError(await app.call('POST', `${space}/content`, { headers, token: world.a.admin.token }), 400);
  });

  test('gets 403 if they may view the target', async () => {
    const lines = [...SHAPES.endless, bearer(world.a.people.read.token)];
    expect((await wire.begin(unfinished('POST', `${space}/content`, lines))).status).toBe(403);
  });
});

describe('a small write', () => {
  test('identifies its caller by one statement, inside its transaction', async () => {
    await contents.edit(space, insert('Before'));
    const query = vi.spyOn(pg.Client.prototype, 'query');
    await contents.edit(space, insert('Counted'));
    const texts = query.mock.calls.map(([first]) => {
      const asked: unknown = first;
      return typeof asked === 'string' ? asked : ((asked as { text?: string } | undefined)?.text ?? '');
    });
    expect(texts.filter((text) => text.includes('caller_token_id'))).toHaveLength(1);
  });

  test('works without the cache', async () => {
    const uncached = await startApp({ beside: app, environment: { OCTAVO_CACHE: 'off' } });
    const body = { changes: [insert('Uncached')] };
    const { token } = world.a.admin;
    expect((await uncached.call('POST', `${space}/content`, { token, body })).status).toBe(200);
    expectError(await uncached.call('POST', `${space}/content`, { token: 'ov_wrong', body }), 401);
  });

  test('accepts files, however the path of the operation is spelled', async () => {
    const file = '{"name":"a.txt","base64":"YQ=="}';
    for (const name of ['insert_files', '\\u0069nsert_files', 'insert\\u005Ffiles']) {
      const raw = `{"changes":[{"operation":"${name}","files":[${file}]}]}`;
      const answer = await app.call('POST', `${space}/content`, { token: world.a.admin.token, raw });
      expect(answer.status, answer.text).toBe(200);
    }
  });
});

describe('a client that sends a large body and is refused', () => {
  test('reads the response before the connection closes, even if it sends its whole body first', async () => {
    const body = Buffer.alloc(900 * 1024, 0x20);
    const head = `POST /v1/spaces/x/content HTTP/1.1\r\nHost: octavo.test\r\nContent-Length: ${body.length}\r\n\r\n`;
    const text = await readUntilClosed((socket) => {
      socket.write(head);
      // In chunks: the response is sent while most of the body is still unsent.
      for (let at = 0; at < body.length; at += 64 * 1024) socket.write(body.subarray(at, at + 64 * 1024));
    });
    expect(text).toMatch(/^HTTP\/1\.1 401 [\s\S]*"code":401/);
  });

  test('is disconnected when it never stops sending', async () => {
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const sent = await new Promise<number>((resolve) => {
      const socket = net.connect({ port: wire.port, host: '127.0.0.1', allowHalfOpen: true });
      const send = () => {
        while (socket.writable && socket.write(chunk));
      };
      socket.on('error', () => {});
      socket.on('data', () => {});
      socket.on('drain', send);
      socket.on('close', () => resolve(socket.bytesWritten - socket.writableLength));
      socket.write(
        'POST /v1/user/tokens HTTP/1.1\r\nHost: octavo.test\r\nTransfer-Encoding: chunked\r\n\r\n',
      );
      send();
    });
    expect(sent).toBeLessThan(200 * MEGABYTE);
  });

  test('need not send the body if it waits for `100 Continue`', async () => {
    const expectLines = ['Content-Length: 30', 'Expect: 100-continue'];
    const refused = await wire.begin(unfinished('POST', '/v1/user/tokens', expectLines).slice(0, -5));
    expect(refused.text).toMatch(/^HTTP\/1\.1 401 /);
    const body = '{"label":"sent when asked for"}';
    const lines = [`Content-Length: ${body.length}`, 'Expect: 100-continue', bearer(world.a.admin.token)];
    const text = await new Promise<string>((resolve, reject) => {
      let received = '';
      const socket = net.connect({ port: wire.port, host: '127.0.0.1' });
      socket.on('error', reject);
      socket.setEncoding('utf8').on('data', (chunk) => {
        received += chunk;
        if (received === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write(body);
        else if (received.includes('"label"')) socket.destroy();
      });
      socket.on('close', () => resolve(received));
      socket.write(unfinished('POST', '/v1/user/tokens', lines).slice(0, -5));
    });
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
  });
});

describe('a compressed body', () => {
  const organization = () => `/v1/orgs/${world.a.organizationId}`;
  const brotli = (bytes: Buffer) =>
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  const send = (path: string, raw: Buffer, encoding: string, method = 'POST') =>
    app.call(method, path, { token: world.a.admin.token, raw, headers: { 'content-encoding': encoding } });

  test('expands to at most a hundred times the bytes that arrived', async () => {
    const bomb = brotli(Buffer.alloc(63 * MEGABYTE, 0x20));
    expect(bomb.length).toBeLessThan(1000);
    expectError(await send(`${space}/content`, bomb, 'br'), 413, /compression ratio of the body exceeds 100/);
    expectError(
      await send(`${space}/content`, gzipSync(Buffer.alloc(8 * MEGABYTE)), 'gzip'),
      413,
      /compression ratio of the body exceeds 100/,
    );
  });

  test('expands to at most the body limit of the operation', async () => {
    const words = Buffer.from(`{"title":"${'0123456789abcdef'.repeat(70_000)}"}`);
    const noise = Buffer.from(Array.from({ length: 40_000 }, (_, n) => n % 251));
    const raw = gzipSync(Buffer.concat([noise, words]), { level: 1 });
    expectError(await send(organization(), raw, 'gzip', 'PATCH'), 413);
  });

  test('may be gzip, deflate or brotli; a truncated one is 400', async () => {
    const body = Buffer.from('{"title":"Packed"}');
    expect((await send(organization(), brotli(body), 'br', 'PATCH')).body.title).toBe('Packed');
    expect((await send(organization(), body, 'identity', 'PATCH')).status).toBe(200);
    expectError(await send(organization(), brotli(body).subarray(0, 5), 'br', 'PATCH'), 400, /valid br/);
    expectError(await send(organization(), gzipSync(body).subarray(0, 12), 'gzip', 'PATCH'), 400);
  });
});

test('large bodies that never end are limited for a caller, until their connections close', async () => {
  const lines = [bearer(world.a.admin.token), `Content-Length: ${16 * MEGABYTE}`];
  const sockets = Array.from({ length: 10 }, () => net.connect(wire.port, '127.0.0.1'));
  const disconnect = () => sockets.forEach((socket) => socket.destroy());
  onTestFinished(disconnect);
  const refused = sockets.map(async (socket) => {
    // Writing fails after the refusal.
    socket.on('error', () => undefined);
    socket.write(unfinished('POST', `${space}/content`, lines));
    socket.write(Buffer.alloc(15 * MEGABYTE, ' '));
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    return chunk.toString();
  });
  const answer = await Promise.any(refused);
  expect(answer).toMatch(/^HTTP\/1\.1 429 /);
  expect(answer).toMatch(/\r\nretry-after: 1\r\n/i);
  const sendLarge = () => contents.send(space, [insert('Large', 'word '.repeat(20_000))]);
  disconnect();
  await expect.poll(async () => (await sendLarge()).status).toBe(200);
});
