import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../src/domains/index.ts';
import type { NamedOperation } from '../src/platform/api/operation.ts';
import { startApp, type TestApp } from './app.ts';
import { expectError } from './refusal.ts';
import { listening, requestText, type Wire } from './socket.ts';
import { aWorld, type World } from './world.ts';

const MEGABYTE = 1024 * 1024;

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
const patch = (raw: string | Buffer, headers: Record<string, string> = {}) =>
  app.call('PATCH', organization, { token: asAdmin(), raw, headers });

describe('bodies', () => {
  test('may have exactly 1 MB; a larger one is 413', async () => {
    const exactly = `{"title":"Alpha"${' '.repeat(MEGABYTE - 17)}}`;
    expect(exactly).toHaveLength(MEGABYTE);
    expect((await patch(exactly)).status).toBe(200);
    expectError(await patch(`${exactly} `), 413);
  });

  test('are limited to 1 MB without a Content-Length, too', async () => {
    const chunk = Buffer.alloc(64 * 1024, 0x20);
    const answer = await app.app.server.inject({
      method: 'PATCH',
      url: organization,
      headers: {
        authorization: `Bearer ${asAdmin()}`,
        'content-type': 'application/json',
        'transfer-encoding': 'chunked',
      },
      payload: Readable.from(Array.from({ length: 20 }, () => chunk)),
    });
    expect(answer.statusCode).toBe(413);
    expect(answer.json().error.code).toBe(413);
  });

  test('may be compressed; one that expands to more than 1 MB is 413', async () => {
    const headers = { 'content-encoding': 'gzip' };
    const small = await patch(gzipSync('{"title":"Packed"}'), headers);
    expect(small.status, small.text).toBe(200);
    expect(small.body.title).toBe('Packed');
    expectError(await patch(gzipSync(Buffer.alloc(50 * MEGABYTE, 0x20)), headers), 413);
    expectError(await patch(Buffer.from('no gzip at all'), headers), 400);
    expectError(await patch('{}', { 'content-encoding': 'rot13' }), 415);
  });

  test('may be 100 levels deep, not 101', async () => {
    const nested = (levels: number) => `{"unknown":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect((await patch(nested(100))).status).toBe(200);
    expectError(await patch(nested(101)), 400, /100 levels/);
    expectError(await patch(nested(250_000)), 400, /100 levels/);
    expectError(await patch('['.repeat(500_000)), 400, /not valid JSON/);
    // Brackets in strings are not levels.
    expect((await patch(`{"unknown":"${'[{'.repeat(200)}\\"${'['.repeat(200)}"}`)).status).toBe(200);
  });

  test('may have 200,000 values, at any place', async () => {
    expectError(await patch(`{"unknown":[${'0,'.repeat(201_000)}0]}`), 413, /200000 values/);
    expectError(await patch(`[${'{},'.repeat(200_000)}{}]`), 413, /200000 values/);
    expect((await patch(`{"unknown":[${'0,'.repeat(199_000)}0]}`)).status).toBe(200);
    const members = (count: number) => Array.from({ length: count }, (_, n) => `"a${n}":1`).join();
    expectError(await patch(`{"unknown":{${members(10_001)}}}`), 413, /10000 members/);
    expect((await patch(`{"unknown":[{${members(9000)}},{${members(9000)}}]}`)).status).toBe(200);
    // Commas in strings are not values, and an escaped quote does not end a string.
    expect((await patch(`{"unknown":"${'\\\\\\",'.repeat(100_000)}${',,'.repeat(200_000)}"}`)).status).toBe(
      200,
    );
  });

  test('cannot replace a prototype', async () => {
    for (const name of ['__proto__', '\\u005f_proto__', '__pr\\u006fto__']) {
      const answer = await patch(`{"${name}":{"title":"Inherited"}}`);
      expect([answer.status, answer.body.title], name).toEqual([
        200,
        expect.not.stringContaining('Inherited'),
      ]);
    }
  });

  test('must be UTF-8', async () => {
    for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf0, 0x9f]]) {
      const raw = Buffer.concat([Buffer.from('{"title":"ab'), Buffer.from(bytes), Buffer.from('"}')]);
      expectError(await patch(raw), 400, /UTF-8/);
    }
    const withMark = await patch(Buffer.from('\ufeff{"title":"Marked"}'));
    expect(withMark.status, withMark.text).toBe(200);
  });

  test('are required where the operation declares one', async () => {
    expectError(await app.call('PATCH', organization, { token: asAdmin() }), 400, /needs a JSON body/);
    expectError(await patch(''), 400);
    for (const raw of ['null', '[]', '"x"', 'true', '1', '{', '{"a":}', "{'a':1}", '{"a":1,}', '{} {}']) {
      expectError(await patch(raw), 400);
    }
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application',
    'json',
    '*/*',
  ])('of another type are 415: %s', async (type) =>
    expectError(await patch('{}', { 'content-type': type }), 415),
  );

  test('without a type are 415', async () => {
    const line = [
      'PATCH ' + organization + ' HTTP/1.1',
      `Authorization: Bearer ${asAdmin()}`,
      'Content-Length: 2',
    ];
    const answer = await wire.send(requestText(line, '{}'));
    expect(answer.status).toBe(415);
    expect(answer.error?.code).toBe(415);
  });

  test.each([
    'application/json',
    'application/json;charset=UTF-8',
    'Application/JSON ; x=y',
    'application/merge-patch+json',
  ])('of a JSON type are accepted: %s', async (type) =>
    expect((await patch('{}', { 'content-type': type })).status).toBe(200),
  );
});

describe('a NUL character', () => {
  test('in a body is 400', async () => {
    const token = asAdmin();
    const at = (method: string, path: string, body: unknown) => app.call(method, path, { token, body });
    expectError(await at('PATCH', organization, { title: 'a\u0000b' }), 400);
    expectError(await at('PATCH', organization, { logo: 'https://x.example/\u0000' }), 400);
    expectError(
      await at('PATCH', `/v1/users/${world.a.admin.id}`, { photoURL: 'https://x.example/\u0000' }),
      400,
    );
    expectError(await at('POST', `${organization}/invites`, { emails: ['"\u0000"@x.example'] }), 400);
    expectError(await at('PUT', `${organization}/teams`, { title: 'T', members: ['a\u0000'] }), 400);
  });

  test('in a query is 400', async () => {
    for (const path of ['members?search=%00', 'teams?title=%00', 'teams?owner=%00', 'teams?page=%00']) {
      expectError(await app.call('GET', `${organization}/${path}`, { token: asAdmin() }), 400);
    }
  });

  test('in a path is 400', async () => {
    for (const path of [
      '/v1/orgs/%00',
      `${organization}/members/a%00b`,
      '/v1/email-domains/a%00.example/orgs',
    ]) {
      expectError(await app.call('GET', path, { token: asAdmin() }), 400);
    }
  });

  test('in the path of a page causes no server error', async () => {
    for (const path of ['/invite/%00', '/avatars/1-%00.svg', '/app/%00']) {
      expect((await app.call('GET', path)).status, path).toBeLessThan(500);
    }
  });
});

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Every path, and the methods of its operations. */
const allowedMethods = (): (readonly [path: string, allow: string[]])[] =>
  [...new Set(operations.map(({ path }) => path))].map((path) => {
    const url = path.replaceAll(/\{\w+\}/g, 'x');
    const served = METHODS.filter((method) =>
      operations.some((each) => each.method === method && matches(each, url)),
    );
    return [
      path,
      [...served.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'],
    ];
  });

const matches = ({ path, takesRest }: NamedOperation, url: string): boolean =>
  takesRest
    ? url.startsWith(path.replaceAll(/\{\w+\}/g, 'x').slice(0, -1))
    : new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(url);

describe('paths', () => {
  test('that do not exist are 404 with any method, and the error names the operation', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
      const answer = await app.call(method, '/v1/nowhere/at/all?x=1', { token: asAdmin() });
      expectError(answer, 404, new RegExp(`^There is no operation ${method} /v1/nowhere/at/all\\.`));
      expect(answer.text).not.toContain('Check the id');
    }
    expectError(await app.call('GET', '/v2/user', { token: asAdmin() }), 404, /no operation/);
    expectError(await app.call('GET', '/v1/orgs/nowhere', { token: asAdmin() }), 404, /Check the id/);
  });

  test('with other methods are 405 with `Allow`, which OPTIONS returns', async () => {
    for (const [path, allow] of allowedMethods()) {
      const url = path.replaceAll(/\{\w+\}/g, 'x');
      const otherMethods = ['TRACE', 'PROPFIND', 'SEARCH', 'LOCK'];
      for (const method of [...METHODS, ...otherMethods].filter((each) => !allow.includes(each))) {
        const answer = await app.call(method, url, { token: asAdmin() });
        expectError(answer, 405, new RegExp(`${method} is not supported here`));
        expect(answer.headers['allow'], `${method} ${path}`).toBe(allow.join(', '));
      }
      const options = await app.call('OPTIONS', url);
      expect([options.status, options.headers['allow'], options.text]).toEqual([204, allow.join(', '), '']);
    }
  });

  test('may end in a slash', async () => {
    for (const path of ['/v1/user', organization, `${organization}/teams`, '/v1']) {
      expect((await app.call('GET', `${path}/`, { token: asAdmin() })).status).toBe(200);
    }
    expect((await app.call('GET', `${organization}/teams/?limit=1`, { token: asAdmin() })).status).toBe(200);
  });

  test.each([
    '/v1/orgs/%',
    '/v1/orgs/%zz',
    '/v1/orgs/%c3',
    '/v1/orgs/%ff%fe',
    '/v1/orgs/%E0%A4%A/teams',
    '/%c0%af',
  ])('with a malformed encoding are 400: %s', async (path) => {
    expectError(await app.call('GET', path, { token: asAdmin() }), 400);
    expectError(await app.call('PATCH', path, { token: asAdmin(), body: {} }), 400);
  });

  test('with a malformed query encoding cause no server error', async () => {
    const answer = await app.call('GET', `${organization}/teams?title=%zz&%=%`, { token: asAdmin() });
    expect(answer.status).toBeLessThan(500);
  });

  test('with an overlong id are 400', async () => {
    for (const length of [65, 2048, 2049, 10_000]) {
      expectError(await app.call('GET', `/v1/orgs/${'x'.repeat(length)}`, { token: asAdmin() }), 400);
    }
  });

  test('cannot be escaped by dot segments', async () => {
    for (const path of ['/v1/orgs/..%2f..%2fuser', '/v1/orgs/../user', '/v1/orgs/%2e%2e', '//v1/user']) {
      const answer = await wire.send(
        requestText([`GET ${path} HTTP/1.1`, `Authorization: Bearer ${asAdmin()}`]),
      );
      expect([400, 404], path).toContain(answer.status);
    }
  });
});

describe('HEAD', () => {
  test('responds like GET, without the body', async () => {
    const token = asAdmin();
    for (const path of ['/v1/user', organization, `${organization}/teams`]) {
      const got = await app.call('GET', path, { token });
      const head = await app.call('HEAD', path, { token });
      expect(head.status).toBe(200);
      expect(head.text).toBe('');
      for (const name of ['content-type', 'etag', 'cache-control', 'content-length']) {
        expect(head.headers[name], name).toBe(got.headers[name]);
      }
    }
  });

  test('requires the same token and returns the same 304', async () => {
    expect((await app.call('HEAD', '/v1/user')).status).toBe(401);
    const { etag = '' } = (await app.call('HEAD', '/v1/user', { token: asAdmin() })).headers;
    const again = await app.call('HEAD', '/v1/user', {
      token: asAdmin(),
      headers: { 'if-none-match': etag },
    });
    expect(again.status).toBe(304);
  });
});
