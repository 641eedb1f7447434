import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from './app.ts';
import { expectError } from './refusal.ts';
import { listening, requestText, type Wire } from './socket.ts';
import { aWorld, type World } from './world.ts';

let app: TestApp;
let world: World;
let organization: string;
let wire: Wire;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  organization = `/v1/orgs/${world.a.organizationId}`;
  wire = await listening(app);
});

const asAdmin = () => world.a.admin.token;

describe('a token', () => {
  const getUser = (headers: Record<string, string>, path = '/v1/user') => app.call('GET', path, { headers });

  test('is read from the header, with its scheme in any case', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR', 'Bearer ']) {
      const answer = await getUser({ authorization: `${scheme} ${asAdmin()}` });
      expect(answer.status, scheme).toBe(200);
      expect(answer.body.id).toBe(world.a.admin.id);
    }
  });

  test('is not read from the query, a cookie, the body or another scheme', async () => {
    const token = asAdmin();
    for (const name of ['access_token', 'token', 'authorization', 'apiToken']) {
      expectError(await getUser({}, `/v1/user?${name}=${token}`), 401);
    }
    expectError(await getUser({ cookie: `token=${token}; authorization=Bearer ${token}` }), 401);
    expectError(await getUser({ 'x-api-key': token }), 401);
    const basic = Buffer.from(`x:${token}`).toString('base64');
    for (const value of [
      token,
      `Basic ${basic}`,
      `Token ${token}`,
      `Bearer${token}`,
      `Bearer "${token}"`,
      'Bearer',
      'Bearer ',
    ]) {
      expectError(await getUser({ authorization: value }), 401);
    }
  });

  test('must match exactly', async () => {
    const token = asAdmin();
    for (const wrong of [
      token.slice(0, -1),
      `${token}x`,
      token.toLowerCase(),
      `${token} ${token}`,
      `${token},x`,
    ]) {
      expectError(await getUser({ authorization: `Bearer ${wrong}` }), 401);
    }
    expectError(await getUser({ authorization: `Bearer ${'x'.repeat(8000)}` }), 401);
  });

  test('is refused in a duplicate header, of which another server may have checked only one', async () => {
    for (const [first, second] of [
      [asAdmin(), asAdmin()],
      [asAdmin(), world.b.admin.token],
      [asAdmin(), 'ov_wrong'],
      ['ov_wrong', asAdmin()],
    ]) {
      const lines = [
        'GET /v1/user HTTP/1.1',
        `Authorization: Bearer ${first}`,
        `authorization: Bearer ${second}`,
      ];
      const answer = await wire.send(requestText(lines));
      expect(answer.status).toBe(401);
      expect(answer.error?.code).toBe(401);
    }
    const single = await wire.send(
      requestText(['GET /v1/user HTTP/1.1', `Authorization: Bearer ${asAdmin()}`]),
    );
    expect(single.status).toBe(200);
  });
});

describe('compression', () => {
  const list = (encoding?: string) =>
    app.app.server.inject({
      url: `${organization}/members`,
      headers: { authorization: `Bearer ${asAdmin()}`, ...(encoding ? { 'accept-encoding': encoding } : {}) },
    });

  test('is used if the client accepts it and the response is large', async () => {
    const plain = await list();
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.rawPayload.length).toBeGreaterThan(1024);

    const gzipped = await list('gzip');
    expect(gzipped.headers['content-encoding']).toBe('gzip');
    expect(gzipped.headers['vary']).toMatch(/accept-encoding/i);
    expect(gunzipSync(gzipped.rawPayload).toString()).toBe(plain.body);

    const brotli = await list('gzip, deflate, br');
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.body);
    expect(brotli.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
  });

  test('is not used if it is refused, unknown or the response is small', async () => {
    for (const encoding of ['identity', 'gzip;q=0, br;q=0', 'compress', '']) {
      const answer = await list(encoding);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['content-encoding'], encoding).toBeUndefined();
    }
    const small = await app.call('GET', '/v1/user', {
      token: asAdmin(),
      headers: { 'accept-encoding': 'gzip, br' },
    });
    expect(small.headers['content-encoding']).toBeUndefined();
  });
});

describe('a slow or malformed request', () => {
  test('gets an error in the common format, and the connection is closed', async () => {
    const nonsense = await wire.send('this is no HTTP\r\n\r\n');
    expect(nonsense.status).toBe(400);
    expect(nonsense.error).toMatchObject({ code: 400, message: expect.any(String) });
    const heavy = await wire.send(requestText(['GET /v1/user HTTP/1.1', `X-Heavy: ${'x'.repeat(70_000)}`]));
    expect(heavy.status).toBe(431);
    expect(heavy.error?.code).toBe(431);
  });

  test('gets 417 in the common format for an unknown Expect, with any method', async () => {
    for (const method of ['GET', 'POST']) {
      const lines = [`${method} /v1/orgs HTTP/1.1`, `Authorization: Bearer ${asAdmin()}`, 'Expect: bogus'];
      const answer = await wire.send(requestText([...lines, 'Content-Length: 2'], '{}'));
      expect(answer.status).toBe(417);
      expect(answer.error).toEqual({ code: 417, message: expect.stringContaining('100-continue') });
    }
  });

  test('with two lengths, or a length and chunks, gets 400', async () => {
    const post = [`POST ${organization}/ping HTTP/1.1`, `Authorization: Bearer ${asAdmin()}`];
    const twice = await wire.send(requestText([...post, 'Content-Length: 2', 'Content-Length: 3'], '{}'));
    expect(twice.status).toBe(400);
    const both = await wire.send(
      requestText([...post, 'Content-Length: 2', 'Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n'),
    );
    expect(both.status).toBe(400);
  });

  test('has 10 s for its headers and 30 s in total', () => {
    const { server } = app.app.server;
    expect(server.headersTimeout).toBe(10_000);
    expect(server.requestTimeout).toBe(30_000);
  });

  test('gets 408 soon after a timeout, in the headers or in the body', async () => {
    const { server } = app.app.server;
    const { headersTimeout, requestTimeout } = server;
    server.headersTimeout = 200;
    server.requestTimeout = 400;
    try {
      const startedAt = Date.now();
      const answers = await Promise.all([
        wire.send('GET /v1/user HTTP/1.1\r\nHost: octavo.test\r\nX-Slow: '),
        wire.send(
          `PATCH ${organization} HTTP/1.1\r\nHost: octavo.test\r\nContent-Type: application/json\r\n` +
            `Authorization: Bearer ${asAdmin()}\r\n` +
            'Content-Length: 100\r\n\r\n{"title":',
        ),
      ]);
      expect(Date.now() - startedAt).toBeLessThan(requestTimeout);
      for (const answer of answers) {
        expect(answer.status).toBe(408);
        expect(answer.error?.code).toBe(408);
      }
    } finally {
      Object.assign(server, { headersTimeout, requestTimeout });
    }
  });
});
