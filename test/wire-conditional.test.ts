import { Check } from 'typebox/value';
import { beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../src/domains/index.ts';
import { startApp, type TestApp } from './app.ts';
import { expectError } from './refusal.ts';
import { sampleOf } from './sample.ts';
import { aMember, aWorld, type World } from './world.ts';

let app: TestApp;
let world: World;
let organization: string;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  organization = `/v1/orgs/${world.a.organizationId}`;
});

const asAdmin = () => world.a.admin.token;

const createTeam = async (): Promise<string> => {
  const { body } = await app.call('PUT', `${organization}/teams`, {
    token: asAdmin(),
    body: { title: 'Team' },
  });
  return `${organization}/teams/${body.id}`;
};

const etagOf = async (path: string, token = asAdmin()): Promise<string> => {
  const { headers, status, text } = await app.call('GET', path, { token });
  expect(headers['etag'], `${status} ${text}`).toMatch(/^(W\/)?"[\x21\x23-\x7e]+"$/);
  return headers['etag'] ?? '';
};

const isOneObject = ({ method, query, response }: (typeof operations)[number]) =>
  method === 'GET' &&
  response !== undefined &&
  !('page' in (query?.properties ?? {})) &&
  'object' in (response as { properties?: object }).properties!;

describe('ETag', () => {
  test.each(operations.filter(isOneObject).map((operation) => [operation.id, operation] as const))(
    'is returned by %s, and gives 304 until something changes',
    async (_id, operation) => {
      const { url, token } = await sampleOf(app, operation, world.a);
      const etag = await etagOf(url, token);
      const again = await app.call('GET', url, { token, headers: { 'if-none-match': etag } });
      expect(again.status).toBe(304);
      expect(again.text).toBe('');
      expect(again.headers['etag']).toBe(etag);
      expect(again.headers['content-type']).toBeUndefined();
    },
  );

  test('changes with the resource', async () => {
    const team = await createTeam();
    const before = await etagOf(team);
    await app.call('PATCH', team, { token: asAdmin(), body: { title: 'Renamed' } });
    const after = await app.call('GET', team, { token: asAdmin(), headers: { 'if-none-match': before } });
    expect(after.status).toBe(200);
    expect(after.headers['etag']).not.toBe(before);
  });

  const isPatched = ({ method, path, body }: (typeof operations)[number]) =>
    method === 'PATCH' &&
    Check(body ?? {}, {}) &&
    operations.some((other) => other.method === 'GET' && other.path === path);
  test.each(operations.filter(isPatched).map((operation) => [operation.id, operation] as const))(
    'does not change after %s with an empty body',
    async (_id, operation) => {
      const { url, token } = await sampleOf(app, operation, world.a);
      const before = await etagOf(url, token);
      const patched = await app.call('PATCH', url, { token, body: {} });
      expect(patched.status, patched.text).toBe(operation.status);
      expect(await etagOf(url, token)).toBe(before);
    },
  );

  test('changes when only a count changes: a 304 is never stale', async () => {
    const team = await createTeam();
    const before = await etagOf(team);
    await app.call('PUT', `${team}/members/${world.a.people.read.id}`, { token: asAdmin() });
    const after = await app.call('GET', team, { token: asAdmin(), headers: { 'if-none-match': before } });
    expect(after.status).toBe(200);
    expect(after.body.members).toBe(1);
  });

  test('depends on the permissions of the caller', async () => {
    expect(await etagOf(organization)).not.toBe(await etagOf(organization, world.a.people.read.token));
  });

  test('is for private caches only', async () => {
    const { headers } = await app.call('GET', organization, { token: asAdmin() });
    expect(headers['cache-control']).toContain('private');
  });
});

describe('If-None-Match', () => {
  test.each([
    ['the tag', (etag: string) => etag],
    ['the tag, weak', (etag: string) => `W/${etag}`],
    ['a list with the tag', (etag: string) => `"other", ${etag},"third"`],
    ['a list with the tag, weak and without spaces', (etag: string) => `W/"other",W/${etag}`],
    ['any', () => '*'],
    ['any, with spaces', () => ' * '],
  ])('is 304 for %s', async (_name, header) => {
    const headers = { 'if-none-match': header(await etagOf(organization)) };
    expect((await app.call('GET', organization, { token: asAdmin(), headers })).status).toBe(304);
  });

  test.each([
    ['another tag', () => '"other"'],
    ['a list of others', () => '"a", W/"b", "c"'],
    ['a beginning of the tag', (etag: string) => `${etag.slice(0, -3)}"`],
    ['the version alone', (etag: string) => `${etag.split('-')[0]}"`],
    ['nothing', () => ''],
  ])('is 200 for %s', async (_name, header) => {
    const headers = { 'if-none-match': header(await etagOf(organization)) };
    expect((await app.call('GET', organization, { token: asAdmin(), headers })).status).toBe(200);
  });

  test('grants no access: 401 and 404 come first', async () => {
    const headers = { 'if-none-match': '*' };
    expectError(await app.call('GET', organization, { headers }), 401);
    expectError(await app.call('GET', organization, { token: world.stranger.token, headers }), 404);
  });
});

describe('If-Match', () => {
  const rename = (team: string, ifMatch: string, title = 'Renamed') =>
    app.call('PATCH', team, { token: asAdmin(), body: { title }, headers: { 'if-match': ifMatch } });

  test('allows one PATCH of the version that was read', async () => {
    const team = await createTeam();
    const etag = await etagOf(team);
    expect((await rename(team, etag)).status).toBe(200);
    expectError(await rename(team, etag, 'Again'), 412, /changed since you read it/);
    expect((await app.call('GET', team, { token: asAdmin() })).body.title).toBe('Renamed');
    expect((await rename(team, await etagOf(team), 'Again')).status).toBe(200);
  });

  test('ignores changes of counts', async () => {
    const team = await createTeam();
    const etag = await etagOf(team);
    await app.call('PUT', `${team}/members/${world.a.people.read.id}`, { token: asAdmin() });
    expect((await rename(team, etag)).status).toBe(200);
  });

  test('accepts a list, a weak tag and `*`', async () => {
    const team = await createTeam();
    for (const header of [
      async () => `"x", ${await etagOf(team)}`,
      async () => `W/${await etagOf(team)}`,
      async () => '*',
    ]) {
      expect((await rename(team, await header())).status).toBe(200);
    }
    for (const header of ['"x"', '', '""', '"*"', 'W/"x","y"']) expectError(await rename(team, header), 412);
  });

  test('does not match a version by its prefix', async () => {
    const team = await createTeam();
    for (let version = 1; version < 12; version++) await rename(team, '*', `Version ${version + 1}`);
    const [version = ''] = (await etagOf(team)).split('-');
    expect(version).toBe('"12');
    expectError(await rename(team, '"1"'), 412);
    expectError(await rename(team, '"2"'), 412);
    expectError(await rename(team, '"120"'), 412);
  });

  test('protects DELETE', async () => {
    const team = await createTeam();
    const headers = (ifMatch: string) => ({ token: asAdmin(), headers: { 'if-match': ifMatch } });
    const stale = await etagOf(team);
    await rename(team, stale);
    expectError(await app.call('DELETE', team, headers(stale)), 412);
    expect((await app.call('DELETE', team, headers(await etagOf(team)))).status).toBe(204);
    expectError(await app.call('GET', team, { token: asAdmin() }), 404);
  });

  test('protects the role of a member', async () => {
    const { id } = await aMember(app, world.a.organizationId, 'read');
    const member = `${organization}/members/${id}`;
    const headers = { 'if-match': await etagOf(member) };
    const set = (role: string) => app.call('PATCH', member, { token: asAdmin(), body: { role }, headers });
    expect((await set('edit')).status).toBe(200);
    expectError(await set('create'), 412);
    expectError(await app.call('DELETE', member, { token: asAdmin(), headers }), 412);
    expect((await app.call('GET', member, { token: asAdmin() })).body.role).toBe('edit');
  });

  test('is checked after 404, 403 and 400, and before any write', async () => {
    const headers = { 'if-match': '"x"' };
    const body = { title: 'Never' };
    expectError(await app.call('PATCH', organization, { token: world.stranger.token, headers, body }), 404);
    expectError(
      await app.call('PATCH', organization, { token: world.a.people.read.token, headers, body }),
      403,
    );
    expectError(
      await app.call('PATCH', organization, { token: asAdmin(), headers, body: { title: 1 } }),
      400,
    );
    expectError(await app.call('PATCH', organization, { token: asAdmin(), headers, body }), 412);
    expect((await app.call('GET', organization, { token: asAdmin() })).body.title).not.toBe('Never');
  });
});

/** Every write must honour preconditions; an ignored one is worse than an error. */
describe('a stale If-Match', () => {
  const guarded = operations.filter(
    ({ method, access }) => ['PATCH', 'PUT', 'DELETE'].includes(method) && access.kind === 'target',
  );
  test.each(guarded.map((operation) => [operation.id, operation] as const))(
    'is 412 for %s',
    async (_id, operation) => {
      const { method, url, body, token } = await sampleOf(app, operation, world.a);
      const call = { token, ...(body === undefined ? {} : { body }) };
      expectError(await app.call(method, url, { ...call, headers: { 'if-match': '"stale"' } }), 412);
      const answer = await app.call(method, url, { ...call, headers: { 'if-match': '*' } });
      expect(answer.status, answer.text).toBe(operation.status);
    },
  );
});

describe('If-None-Match: *', () => {
  const reading = operations.filter(({ method, access }) => method === 'GET' && access.kind === 'target');

  test.each(reading.map((operation) => [operation.id, operation] as const))(
    'is 404 for a caller who may not view the target: %s',
    async (_id, operation) => {
      if (operation.access.kind !== 'target' || operation.access.resource.isOpen || !operation.params) return;
      const { url } = await sampleOf(app, operation, world.a);
      const headers = { 'if-none-match': '*' };
      expectError(await app.call('GET', url, { token: world.stranger.token, headers }), 404);
    },
  );

  test('is 404 for entries that a space does not have, and for a deleted space', async () => {
    const spaces = `${organization}/spaces`;
    const { body } = await app.call('POST', spaces, { token: asAdmin(), body: { title: 'Short-lived' } });
    const paths = [
      'content/page/nowhere',
      'content/files/nowhere',
      'content/path/nowhere',
      'revisions/nowhere',
    ];
    const get = (path: string) =>
      app.call('GET', `/v1/spaces/${body.id}/${path}`, {
        token: asAdmin(),
        headers: { 'if-none-match': '*' },
      });
    for (const path of paths) expectError(await get(path), 404);
    expect((await get('content')).status).toBe(304);
    await app.call('DELETE', `/v1/spaces/${body.id}`, { token: asAdmin() });
    for (const path of [...paths, 'content', 'content/pages']) expectError(await get(path), 404);
  });
});
