import { getEventListeners } from 'node:events';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server as TcpServer,
  type Socket,
} from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CERTIFICATE, KEY } from '../../../test/certificate.ts';
import { dialTcp, type Dial } from './connect.ts';
import { createOutbound, type OutboundError, type OutboundOptions, type OutboundReason } from './index.ts';

const LIMITS = { maxBytes: 100_000, timeoutMs: 120_000 };
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => undefined;
const servers: (Server | TcpServer)[] = [];

afterEach(() => {
  vi.useRealTimers();
  for (const server of servers.splice(0)) {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  }
});

async function listening<S extends Server | TcpServer>(server: S): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on this machine, known as any name, and a client that may reach it. */
async function aServer(handle: Handle, options: Partial<OutboundOptions> = {}) {
  const port = await listening(createHttpServer(handle));
  return { port, url: `http://a.example:${port}`, outbound: aClient(port, options) };
}

function aClient(port: number, options: Partial<OutboundOptions> = {}) {
  return createOutbound({
    allow: [`127.0.0.0/8:${port}`],
    ownAddresses: [],
    resolve: () => Promise.resolve(['127.0.0.1']),
    ...options,
  });
}

async function expectReason(reason: OutboundReason, work: Promise<unknown>): Promise<OutboundError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown as OutboundError,
  );
  expect(error).toMatchObject({ name: 'OutboundError', reason });
  return error as OutboundError;
}

const readBody = async (request: IncomingMessage) => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
};

describe('an allowed server', () => {
  it('is asked under its own name, and its answer given back', async () => {
    const { url, outbound, port } = await aServer((request, response) => {
      response
        .writeHead(418, {
          'Set-Cookie': 'a=b',
          'X-Seen': `${request.method} ${request.headers.host}${request.url}`,
        })
        .end('tea');
    });
    const answer = await outbound.fetch(`${url}/pot?a=b#part`, LIMITS);
    expect(answer).toMatchObject({ status: 418, url: `${url}/pot?a=b` });
    expect(answer.headers['x-seen']).toBe(`GET a.example:${port}/pot?a=b`);
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect(answer.body.toString()).toBe('tea');
  });

  it('gets method, headers and body', async () => {
    const { url, outbound } = await aServer(async (request, response) => {
      response.end(JSON.stringify({ ...request.headers, body: await readBody(request) }));
    });
    const { body } = await outbound.fetch(url, {
      ...LIMITS,
      method: 'POST',
      body: '{"a":1}',
      accept: 'application/json',
      headers: { 'Content-Type': 'application/json', 'X-Signature': 's' },
    });
    expect(JSON.parse(body.toString())).toMatchObject({
      body: '{"a":1}',
      accept: 'application/json',
      'content-type': 'application/json',
      'content-length': '7',
      'x-signature': 's',
      'user-agent': 'Octavo',
    });
  });

  it('may be written with a dot at its end', async () => {
    const { port } = await aServer((request, response) => response.end(request.headers.host));
    const outbound = aClient(port, { allow: [`A.example:${port}`] });
    const { body } = await outbound.fetch(`http://a.Example.:${port}/`, LIMITS);
    expect(body.toString()).toBe(`a.example:${port}`);
  });

  it('is reached at the next address when one does not answer', async () => {
    const { url, outbound } = await aServer((_request, response) => response.end('ok'), {
      resolve: () => Promise.resolve(['127.0.0.99', '127.0.0.1']),
    });
    expect((await outbound.fetch(url, LIMITS)).body.toString()).toBe('ok');
  });

  it('is not reached by way of a proxy', async () => {
    const { url, outbound } = await aServer((_request, response) => response.end('direct'));
    const before = { ...process.env };
    Object.assign(process.env, {
      http_proxy: 'http://127.0.0.1:1',
      HTTP_PROXY: 'http://127.0.0.1:1',
      NODE_USE_ENV_PROXY: '1',
    });
    try {
      expect((await outbound.fetch(url, LIMITS)).body.toString()).toBe('direct');
    } finally {
      process.env = before;
    }
  });

  it('is answered to `check` with the addresses to connect to', async () => {
    const { url, port, outbound } = await aServer(() => {});
    expect(await outbound.check(url)).toMatchObject({
      hostname: 'a.example',
      port,
      addresses: ['127.0.0.1'],
    });
    await expectReason('blocked', outbound.check('http://a.example:1/'));
  });

  it.each(['Host', 'cookie', 'Transfer-Encoding', 'Proxy-Authorization', 'content-length', 'a\r\nb', 'x y'])(
    'cannot be given the header %j',
    async (name) => {
      const { url, outbound } = await aServer((_request, response) => response.end());
      await expectReason('blocked', outbound.fetch(url, { ...LIMITS, headers: { [name]: 'x' } }));
    },
  );

  it('cannot be given a header with a line break', async () => {
    const { url, outbound } = await aServer((_request, response) => response.end());
    await expectReason('blocked', outbound.fetch(url, { ...LIMITS, headers: { a: 'b\r\nhost: c' } }));
  });

  it('is public: reached on its checked address', async () => {
    const port = await listening(createHttpServer((request, response) => response.end(request.headers.host)));
    const dialled: string[] = [];
    const outbound = createOutbound({
      allow: [],
      ownAddresses: [],
      resolve: () => Promise.resolve(['93.184.216.34', '8.8.8.8']),
      dial: (address, to) => {
        dialled.push(`${address} ${to}`);
        return Object.defineProperty(dialTcp('127.0.0.1', port), 'remoteAddress', { value: address });
      },
    });
    expect((await outbound.fetch('http://public.example/', LIMITS)).body.toString()).toBe('public.example');
    expect((await outbound.fetch('http://93.184.216.34/', LIMITS)).body.toString()).toBe('93.184.216.34');
    expect(dialled).toEqual(['93.184.216.34 80', '93.184.216.34 80']);
  });
});

it('credentials in the address are refused', async () => {
  const { port, outbound } = await aServer((_request, response) => response.end());
  await expectReason('blocked', outbound.fetch(`http://us%65r:p%40ss@a.example:${port}/`, LIMITS));
});

describe('redirects', () => {
  const seen: string[] = [];
  const echo: Handle = async (request, response) => {
    seen.push(
      `${request.headers.host?.split(':')[0]} ${request.headers.authorization ?? '-'} ${request.headers['x-signature'] ?? '-'} ${request.headers.cookie ?? '-'}`,
    );
    const to = new URL(request.url ?? '/', 'http://x').searchParams.get('to');
    if (to) response.writeHead(302, { location: to, 'set-cookie': 'a=b' }).end();
    else response.end(`${request.method} ${await readBody(request)}`);
  };

  it('are followed three times, not four', async () => {
    const { url, outbound } = await aServer((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left > 0) response.writeHead(301, { location: `/${left - 1}` }).end();
      else response.end('there');
    });
    expect(await outbound.fetch(`${url}/3`, LIMITS)).toMatchObject({ status: 200, url: `${url}/0` });
    await expectReason('redirects', outbound.fetch(`${url}/4`, LIMITS));
    await expectReason('redirects', outbound.fetch(`${url}/1`, { ...LIMITS, redirects: 0 }));
    await expectReason('redirects', outbound.fetch(`${url}/4`, { ...LIMITS, redirects: 99 }));
  });

  it('keep secrets to their origin, and no cookies at all', async () => {
    const { port, outbound } = await aServer(echo);
    const headers = { Authorization: 'Bearer t', 'X-Signature': 's' };
    const toOther = encodeURIComponent(`http://b.example:${port}/`);
    const viaSelf = encodeURIComponent(`/?to=${toOther}`);
    seen.length = 0;
    await outbound.fetch(`http://a.example:${port}/?to=${viaSelf}`, { ...LIMITS, headers });
    expect(seen).toEqual(['a.example Bearer t s -', 'a.example Bearer t s -', 'b.example - - -']);
    const back = encodeURIComponent(
      `http://b.example:${port}/?to=${encodeURIComponent(`http://a.example:${port}/`)}`,
    );
    seen.length = 0;
    await outbound.fetch(`http://a.example:${port}/?to=${back}`, { ...LIMITS, headers });
    expect(seen.at(-1)).toBe('a.example - - -');
  });

  it.each([
    [301, 'POST', 'GET '],
    [302, 'PUT', 'GET '],
    [303, 'DELETE', 'GET '],
    [307, 'POST', 'POST body'],
    [308, 'PATCH', 'PATCH body'],
  ] as const)('%i of a %s becomes %j', async (status, method, expected) => {
    const { url, outbound } = await aServer(async (request, response) => {
      if (request.url === '/from') response.writeHead(status, { location: '/to' }).end();
      else response.end(`${request.method} ${await readBody(request)}`);
    });
    const answer = await outbound.fetch(`${url}/from`, { ...LIMITS, method, body: 'body' });
    expect(answer.body.toString()).toBe(expected);
  });

  it('are followed only where the caller allows it', async () => {
    const asked: string[] = [];
    const { url, outbound } = await aServer((request, response) => {
      asked.push(request.url ?? '');
      const left = Number(request.url?.slice(1));
      if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end('moved');
      else response.end('there');
    });
    const stopAt = (path: string) => ({ ...LIMITS, mayFollow: (to: URL) => to.pathname !== path });
    const answer = await outbound.fetch(`${url}/3`, stopAt('/1'));
    expect(answer).toMatchObject({ status: 302, url: `${url}/2`, headers: { location: '/1' } });
    expect(asked).toEqual(['/3', '/2']);
    expect(await outbound.fetch(`${url}/3`, stopAt('/9'))).toMatchObject({ status: 200, url: `${url}/0` });
  });

  it('without a place to go are answers', async () => {
    const { url, outbound } = await aServer((_request, response) => response.writeHead(302).end());
    expect(await outbound.fetch(url, LIMITS)).toMatchObject({ status: 302 });
  });

  it('may not lead to where this server listens', async () => {
    const own = await listening(createHttpServer(() => expect.unreachable()));
    const port = await listening(
      createHttpServer((_request, response) =>
        response.writeHead(302, { location: `http://127.0.0.1:${own}/` }).end(),
      ),
    );
    const outbound = createOutbound({
      allow: [`127.0.0.1:${port}`, `127.0.0.1:${own}`],
      ownAddresses: [`127.0.0.1:${own}`],
    });
    await expectReason('blocked', outbound.fetch(`http://127.0.0.1:${port}/`, LIMITS));
  });
});

describe('compressed answers', () => {
  const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
  const compressions = {
    gzip: (data: string | Buffer) => gzipSync(data),
    deflate: (data: string | Buffer) => deflateSync(data),
    br: (data: string | Buffer) => brotliCompressSync(data, fast),
  };

  it.each(Object.entries(compressions))('are opened: %s', async (encoding, compress) => {
    const { url, outbound } = await aServer((_request, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(compress('hello')),
    );
    const answer = await outbound.fetch(url, LIMITS);
    expect(answer.body.toString()).toBe('hello');
    expect(Object.keys(answer.headers)).not.toContain('content-encoding');
  });

  it.each(Object.entries(compressions))('are cut off when they unfold: %s', async (encoding, compress) => {
    const bomb = compress(Buffer.alloc(20_000_000));
    expect(bomb.length).toBeLessThan(LIMITS.maxBytes);
    const { url, outbound } = await aServer((_request, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(bomb),
    );
    await expectReason('too-large', outbound.fetch(url, LIMITS));
  });

  it.each([
    ['cut short', 'gzip', gzipSync('hello hello hello').subarray(0, 15)],
    ['something else', 'gzip', Buffer.from('hello')],
    ['twice', 'gzip, gzip', gzipSync(gzipSync('hello'))],
    ['unknown', 'zstd', Buffer.from('hello')],
    ['a property of objects', 'constructor', Buffer.from('hello')],
  ])('are refused: %s', async (_what, encoding, bytes) => {
    const { url, outbound } = await aServer((_request, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(bytes),
    );
    await expectReason('bad-response', outbound.fetch(url, LIMITS));
  });

  it('have no body to open for HEAD, 204 and 304', async () => {
    const { url, outbound } = await aServer((request, response) =>
      response
        .writeHead(Number(request.url?.slice(1)), { 'content-encoding': 'gzip', 'content-length': 999_999 })
        .end(),
    );
    expect((await outbound.fetch(`${url}/200`, { ...LIMITS, method: 'HEAD' })).body).toHaveLength(0);
    expect((await outbound.fetch(`${url}/304`, LIMITS)).body).toHaveLength(0);
  });
});

describe('limits', () => {
  it('of size hold for what is announced, and for what is not', async () => {
    const { url, outbound } = await aServer((request, response) => {
      if (request.url === '/announced') response.writeHead(200, { 'content-length': 100_001 }).write('x');
      else {
        const more = () => response.write(Buffer.alloc(10_000)) && setImmediate(more);
        response.on('drain', more);
        more();
      }
    });
    await expectReason('too-large', outbound.fetch(`${url}/announced`, LIMITS));
    const error = await expectReason('too-large', outbound.fetch(`${url}/endless`, LIMITS));
    expect(error.message).toBe('The response of a.example exceeds 100000 bytes.');
  });

  it('of size let a body of exactly that size through', async () => {
    const { url, outbound } = await aServer((_request, response) => response.end(Buffer.alloc(100_000)));
    expect((await outbound.fetch(url, LIMITS)).body).toHaveLength(100_000);
  });

  it.each(['silent', 'drip', 'redirecting'])('of time end a server that is %s', async (manner) => {
    const { url, outbound } = await aServer(async (_request, response) => {
      if (manner === 'redirecting')
        await delay(150).then(() => response.writeHead(302, { location: '/' }).end());
      if (manner === 'drip') setInterval(() => response.write('.'), 20).unref();
    });
    const begun = Date.now();
    await expectReason('timeout', outbound.fetch(url, { ...LIMITS, timeoutMs: 250 }));
    expect(Date.now() - begun).toBeLessThan(LIMITS.timeoutMs / 2);
  });

  it('of time end a name server and a handshake too', async () => {
    const hanging = aClient(80, { resolve: () => new Promise(() => {}) });
    await expectReason('timeout', hanging.fetch('https://a.example/', { ...LIMITS, timeoutMs: 100 }));
    const port = await listening(createTcpServer(() => {}));
    await expectReason(
      'timeout',
      aClient(port).fetch(`https://a.example:${port}/`, { ...LIMITS, timeoutMs: 100 }),
    );
  });

  it("of the caller's own end it with the caller's reason", async () => {
    const { url, outbound } = await aServer((_request, response) => response.write('x'));
    const stopping = new AbortController();
    setTimeout(() => stopping.abort(new Error('stopping')), 50);
    await expect(outbound.fetch(url, { ...LIMITS, signal: stopping.signal })).rejects.toThrow('stopping');
  });

  it("leave nothing in memory that the caller's signal holds", async () => {
    const sockets: WeakRef<Socket>[] = [];
    const dial: Dial = (...address) => {
      const socket = dialTcp(...address);
      sockets.push(new WeakRef(socket));
      return socket;
    };
    const { url, outbound } = await aServer((_request, response) => response.end('x'), { dial });
    const { signal } = new AbortController();
    for (let i = 0; i < 20; i++) await outbound.fetch(url, { ...LIMITS, signal });
    await expect.poll(() => collectGarbage() ?? sockets.filter((ref) => ref.deref()).length).toBeLessThan(5);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('hold in a stream, read or not', async () => {
    const { url, outbound } = await aServer((_request, response) => {
      response.write('x'.repeat(50));
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const read = await outbound.stream(url, { ...LIMITS, timeoutMs: 500 });
    const reading = expectReason('timeout', read.body.toArray());
    vi.advanceTimersByTime(500);
    await reading;
    const small = await outbound.stream(url, { ...LIMITS, maxBytes: 49 });
    await expectReason('too-large', small.body.toArray());
    const ignored = await outbound.stream(url, { ...LIMITS, timeoutMs: 500 });
    vi.advanceTimersByTime(500);
    await expectReason('timeout', ignored.body.toArray());
    (await outbound.stream(url, LIMITS)).body.destroy();
  });
});

describe('a server that is no good', () => {
  it('has no address', async () => {
    const error = await expectReason(
      'unreachable',
      aClient(80, { resolve: () => Promise.resolve([]) }).fetch('http://a.example/', LIMITS),
    );
    expect(error.fault).toBe('unknown-host');
    expect(error.message).toBe('The host a.example does not exist. Check the URL.');
    const undetermined = await expectReason(
      'unreachable',
      aClient(80, { resolve: () => Promise.reject(new Error('SERVFAIL')) }).fetch(
        'http://a.example/',
        LIMITS,
      ),
    );
    expect(undetermined.fault).toBeUndefined();
    expect(undetermined.message).toBe('a.example cannot be reached. Check the URL, or try later.');
  });

  it('does not listen', async () => {
    const port = await listening(createTcpServer());
    servers.pop()?.close();
    const error = await expectReason('unreachable', aClient(port).fetch(`http://a.example:${port}/`, LIMITS));
    expect(error.fault).toBe('refused');
  });

  it('hangs up during the handshake', async () => {
    const port = await listening(createTcpServer((socket) => socket.destroy()));
    const error = await expectReason(
      'unreachable',
      aClient(port).fetch(`https://a.example:${port}/`, LIMITS),
    );
    expect(error.message).not.toContain('certificate');
  });

  it('has many addresses of which none answers, and not all are tried', async () => {
    const dialled: string[] = [];
    const outbound = aClient(1, {
      resolve: () => Promise.resolve(Array.from({ length: 100 }, (_, last) => `127.0.0.${last + 1}`)),
      dial: (address, port) => {
        dialled.push(address);
        return dialTcp(address, port);
      },
    });
    await expectReason('unreachable', outbound.fetch('http://a.example:1/', LIMITS));
    expect(dialled.length).toBeLessThan(10);
  });

  it('hangs up, and is not called again', async () => {
    let calls = 0;
    const port = await listening(createTcpServer((socket) => (calls++, socket.destroy())));
    await expectReason('unreachable', aClient(port).fetch(`http://a.example:${port}/`, LIMITS));
    expect(calls).toBe(1);
  });

  it.each([
    ['does not speak HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['sends headers without end', `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(20_000)}`],
    ['stops in the middle', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'],
    ['breaks its chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'],
  ])('%s', async (_what, bytes) => {
    const port = await listening(
      createTcpServer((socket) => socket.on('error', () => {}).once('data', () => socket.end(bytes))),
    );
    await expectReason('bad-response', aClient(port).fetch(`http://a.example:${port}/`, LIMITS));
  });
});

describe('TLS', () => {
  async function aSecureServer(options: Partial<OutboundOptions>) {
    const server = createHttpsServer({ key: KEY, cert: CERTIFICATE }, (request, response) => {
      response.end(`${(request.socket as { servername?: string }).servername} ${request.headers.host}`);
    });
    const port = await listening(server);
    return { port, outbound: aClient(port, options) };
  }

  it('names the server that was asked for, on the checked address', async () => {
    const { port, outbound } = await aSecureServer({ ca: CERTIFICATE });
    const { body } = await outbound.fetch(`https://secure.example:${port}/`, LIMITS);
    expect(body.toString()).toBe(`secure.example secure.example:${port}`);
  });

  it.each([
    ['for another name', 'other.example', CERTIFICATE],
    ['for a name, not an address', '127.0.0.1', CERTIFICATE],
    ['of an unknown authority', 'secure.example', undefined],
  ])('refuses a certificate %s', async (_what, host, ca) => {
    const { port, outbound } = await aSecureServer(ca ? { ca } : {});
    const error = await expectReason('unreachable', outbound.fetch(`https://${host}:${port}/`, LIMITS));
    expect(error.message).toContain('certificate');
  });
});
