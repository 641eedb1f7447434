import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from './app.ts';
import { detailsOf, expectError } from './refusal.ts';
import { aWorld, type World } from './world.ts';

let app: TestApp;
let world: World;
let organization: string;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  organization = `/v1/orgs/${world.a.organizationId}`;
});

const asAdmin = () => world.a.admin.token;
const UNKNOWN_ORGANIZATION = '/v1/orgs/nosuchorganization00';

describe('errors', () => {
  test('have one format, whatever the status', async () => {
    const token = asAdmin();
    expectError(await app.call('GET', `${organization}?x=1`), 401, /Authorization: Bearer/);
    expectError(await app.call('GET', organization, { token: 'ov_wrong' }), 401, /invalid/);
    expectError(await app.call('GET', `${organization}/teams?limit=x`, { token }), 400);
    expectError(await app.call('PATCH', organization, { token, body: { title: 7 } }), 400);
    expectError(await app.call('GET', UNKNOWN_ORGANIZATION, { token }), 404, /^Organization was not found/);
    expectError(await app.call('PATCH', organization, { token: world.a.people.create.token, body: {} }), 403);
    expectError(await app.call('DELETE', `${organization}/members/${world.a.admin.id}`, { token }), 409);
    expectError(
      await app.call('PATCH', organization, { token, body: {}, headers: { 'if-match': '"0"' } }),
      412,
    );
    expectError(
      await app.call('PATCH', organization, { token, raw: 'a=b', headers: { 'content-type': 'text/plain' } }),
      415,
    );
    expectError(await app.call('GET', '/v1/nothing'), 404, /^There is no operation GET \/v1\/nothing/);
  });

  test('of 401 state how to authenticate', async () => {
    const answer = await app.call('GET', '/v1/user');
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
  });

  test('are the same for hidden and for nonexistent resources', async () => {
    const token = world.stranger.token;
    const hidden = await app.call('GET', organization, { token });
    expectError(hidden, 404);
    expect(hidden.text).toBe((await app.call('GET', UNKNOWN_ORGANIZATION, { token })).text);
  });

  test('of 400 name every place and rule', async () => {
    const answer = await app.call('PATCH', organization, {
      token: asAdmin(),
      body: {
        title: 'x',
        defaultRole: 'king',
        emailDomains: ['ok.example', 'no domain'],
        logo: 'file:///etc',
      },
    });
    expectError(answer, 400, /^body\./);
    const places = answer.body.error.details.map((detail: { path: string }) => detail.path);
    expect(places).toEqual(
      expect.arrayContaining(['body.title', 'body.defaultRole', 'body.emailDomains.1', 'body.logo']),
    );
    expect(detailsOf(answer).find((detail) => detail.startsWith('body.defaultRole'))).toContain('"admin"');
  });

  test('of 400 name missing fields', async () => {
    const answer = await app.call('PUT', `${organization}/teams`, { token: asAdmin(), body: {} });
    expectError(answer, 400);
    expect(detailsOf(answer)).toEqual(['body: must have title']);
  });
});

/** Each request violates every later rule, too. */
describe('the order of checks', () => {
  const laterErrors = { body: { title: 7 }, headers: { 'if-match': '"0"' } };

  test('has 401 before everything', async () => {
    expectError(await app.call('PATCH', '/v1/orgs/no+good!', laterErrors), 401);
    expectError(await app.call('GET', `${UNKNOWN_ORGANIZATION}/teams?limit=x`), 401);
    expectError(await app.call('GET', `${UNKNOWN_ORGANIZATION}/teams?limit=x`, { token: 'ov_wrong' }), 401);
  });

  test('has 400 of the path and the query before 404', async () => {
    const badPath = await app.call('PATCH', '/v1/orgs/no+good!', { token: asAdmin(), ...laterErrors });
    expectError(badPath, 400);
    expect(badPath.body.error.details[0].path).toBe('path.organizationId');
    const badQuery = await app.call('GET', `${UNKNOWN_ORGANIZATION}/teams?limit=x`, { token: asAdmin() });
    expectError(badQuery, 400);
    expect(badQuery.body.error.details[0].path).toBe('query.limit');
  });

  test('has 404 before 403', async () => {
    expectError(await app.call('PATCH', UNKNOWN_ORGANIZATION, { token: asAdmin(), ...laterErrors }), 404);
    expectError(await app.call('PATCH', organization, { token: world.b.admin.token, ...laterErrors }), 404);
    const { guest } = world.a.people;
    expectError(
      await app.call('PATCH', `${organization}/teams/nosuchteam`, { token: guest.token, ...laterErrors }),
      404,
    );
  });

  test('has 403 of a scope at the same place as 403 of a role', async () => {
    const { body } = await app.call('POST', '/v1/user/tokens', {
      token: asAdmin(),
      body: { label: 'Limited', scopes: ['user:read'] },
    });
    expectError(await app.call('PATCH', '/v1/orgs/no+good!', { token: body.token, ...laterErrors }), 400);
    expectError(await app.call('GET', `${organization}/teams?limit=x`, { token: body.token }), 400);
    expectError(await app.call('PATCH', UNKNOWN_ORGANIZATION, { token: body.token, ...laterErrors }), 404);
    expectError(
      await app.call('PATCH', organization, { token: body.token, ...laterErrors }),
      403,
      /organization:write/,
    );
  });

  test('has 403 before 400 of the body, and before 415', async () => {
    const { token } = world.a.people.create;
    expectError(await app.call('PATCH', organization, { token, ...laterErrors }), 403);
    expectError(
      await app.call('PATCH', organization, { token, raw: '{', headers: laterErrors.headers }),
      403,
    );
    const headers = { ...laterErrors.headers, 'content-type': 'text/plain' };
    expectError(await app.call('PATCH', organization, { token, raw: 'x', headers }), 403);
  });

  test('has 400 of the body before 412, and 412 before 409', async () => {
    const token = asAdmin();
    await app.call('PATCH', `/v1/orgs/${world.b.organizationId}`, {
      token: world.b.admin.token,
      body: { hostname: 'taken-by-beta' },
    });
    const { headers } = laterErrors;
    expectError(await app.call('PATCH', organization, { token, ...laterErrors }), 400);
    const taken = { hostname: 'taken-by-beta' };
    expectError(await app.call('PATCH', organization, { token, body: taken, headers }), 412);
    const { etag } = (await app.call('GET', organization, { token })).headers;
    const fresh = { 'if-match': etag ?? '' };
    expectError(await app.call('PATCH', organization, { token, body: taken, headers: fresh }), 409);
    expect((await app.call('PATCH', organization, { token, body: {}, headers: fresh })).status).toBe(200);
  });
});

describe('response headers', () => {
  test('have the location of a new resource with 201', async () => {
    const token = asAdmin();
    for (const [method, path, body] of [
      ['POST', '/v1/orgs', { title: 'Located' }],
      ['POST', '/v1/user/tokens', { label: 'Located' }],
      ['PUT', `${organization}/teams`, { title: 'Located' }],
      ['POST', `${organization}/link-invites`, { role: 'read' }],
    ] as const) {
      const created = await app.call(method, path, { token, body });
      expect(created.status, created.text).toBe(201);
      const location = new URL(created.headers['location'] ?? '');
      expect(location.origin).toBe('http://octavo.test');
      const found = await app.call('GET', location.pathname, { token });
      expect(found.status).toBe(200);
      expect(found.body.id).toBe(created.body.id);
    }
  });

  test('have a new request id, never one of the client', async () => {
    const seen = new Set<string>();
    for (const path of ['/v1/user', '/v1/nothing', '/', '/v1/orgs/%zz', '/healthz']) {
      const { headers } = await app.call('GET', path, {
        token: asAdmin(),
        headers: { 'x-request-id': 'given' },
      });
      expect(headers['x-request-id'], path).toMatch(/^\w{20}$/);
      seen.add(headers['x-request-id'] ?? '');
    }
    expect(seen.size).toBe(5);
  });
});
