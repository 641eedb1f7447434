import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../src/domains/index.ts';
import { isRead } from '../src/platform/api/operation.ts';
import { newId } from '../src/platform/api/ids.ts';
import { deleteOldAnswers } from '../src/platform/http/act/idempotency.ts';
import { startApp, type TestApp } from './app.ts';
import { expectError } from './refusal.ts';
import { sampleOf } from './sample.ts';
import { aPerson, aWorld, type Person, type World } from './world.ts';

let app: TestApp;
let world: World;
let organization: string;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  organization = `/v1/orgs/${world.a.organizationId}`;
});

const post = (path: string, key: string, body: unknown, token = world.a.admin.token) =>
  app.call('POST', path, { token, body, headers: { 'idempotency-key': key } });

const createOrganization = (key: string, title: string, token: string) =>
  post('/v1/orgs', key, { title }, token);

const countOf = async (person: Person): Promise<number> =>
  (await app.call('GET', '/v1/orgs?limit=0', { token: person.token })).body.count;

describe('an Idempotency-Key', () => {
  test('replays the response to a repeated request, without a second effect', async () => {
    const person = await aPerson(app, 'founder');
    const key = newId();
    const first = await createOrganization(key, 'Once', person.token);
    const second = await createOrganization(key, 'Once', person.token);
    expect(first.status).toBe(201);
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect(second.status).toBe(201);
    expect(second.text).toBe(first.text);
    for (const name of ['location', 'content-type', 'cache-control']) {
      expect(second.headers[name], name).toBe(first.headers[name]);
    }
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(await countOf(person)).toBe(1);
  });

  test('replays the response even if the resource has changed since', async () => {
    const key = newId();
    const first = await post(`${organization}/link-invites`, key, { role: 'read' });
    await app.call('DELETE', `${organization}/link-invites/${first.body.id}`, { token: world.a.admin.token });
    const second = await post(`${organization}/link-invites`, key, { role: 'read' });
    expect(second.text).toBe(first.text);
  });

  test('of 255 characters is valid; of 256 or none it is 400', async () => {
    const { token } = await aPerson(app, 'keys');
    expect((await createOrganization('k'.repeat(255), 'Longest', token)).status).toBe(201);
    expectError(await createOrganization('k'.repeat(256), 'Longer', token), 400, /255/);
    expectError(await createOrganization('', 'None', token), 400);
  });

  test('with another query is 422', async () => {
    const title = (query: string, key: string) =>
      post(`${organization}/spaces${query}`, key, { title: 'Guide' });
    const key = newId();
    expect((await title('?compat=false', key)).status).toBe(201);
    expect((await title('?compat=false', key)).headers['idempotency-replayed']).toBe('true');
    expectError(await title('?compat=true', key), 422, /different body or query/);
    expectError(await title('', key), 422);
  });

  test('with another body is 422, without an effect', async () => {
    const person = await aPerson(app, 'founder');
    const key = newId();
    await createOrganization(key, 'Once', person.token);
    expectError(await createOrganization(key, 'Twice', person.token), 422, /different body/);
    expect(await countOf(person)).toBe(1);
  });

  test('is scoped to its caller', async () => {
    const [one, two] = [await aPerson(app, 'one'), await aPerson(app, 'two')];
    const key = newId();
    const first = await createOrganization(key, 'Mine', one.token);
    const second = await createOrganization(key, 'Mine', two.token);
    expect(second.status).toBe(201);
    expect(second.body.id).not.toBe(first.body.id);
    expect((await createOrganization(key, 'Another', two.token)).status).toBe(422);
  });

  test('is scoped to its token: another one of the same user gets neither the answer nor a refusal', async () => {
    const { token } = world.a.admin;
    const tokenWith = async (scopes: readonly string[]) =>
      (await post('/v1/user/tokens', newId(), { label: 'Narrow', scopes })).body.token as string;
    const narrow = await tokenWith(['organization:members:write']);
    const key = newId();
    const links = `${organization}/link-invites`;
    const first = await post(links, key, { role: 'read' }, token);
    const second = await post(links, key, { role: 'read' }, narrow);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.headers['idempotency-replayed']).toBeUndefined();
    expect(second.body.id).not.toBe(first.body.id);
    expect(
      (await post(links, key, { role: 'edit' }, await tokenWith(['organization:members:write']))).status,
    ).toBe(201);
    expect((await post(links, key, { role: 'read' }, narrow)).text).toBe(second.text);
  });

  test('is forgotten with its token', async () => {
    const made = await post('/v1/user/tokens', newId(), { label: 'Short-lived' });
    const key = newId();
    expect((await post(`${organization}/link-invites`, key, { role: 'read' }, made.body.token)).status).toBe(
      201,
    );
    expect(await app.sql('select from idempotency_keys where key = $1', [key])).toHaveLength(1);
    const gone = await app.call('DELETE', `/v1/user/tokens/${made.body.id}`, { token: world.a.admin.token });
    expect(gone.status).toBe(205);
    expect(await app.sql('select from idempotency_keys where key = $1', [key])).toHaveLength(0);
  });

  test('is scoped to its path', async () => {
    const key = newId();
    const first = await post(`${organization}/link-invites`, key, { role: 'read' });
    expect(first.status).toBe(201);
    expect((await post('/v1/user/tokens', key, { label: 'Same key' })).status).toBe(201);
    const otherPath = `/v1/orgs/${world.b.organizationId}/link-invites`;
    const second = await post(otherPath, key, { role: 'edit' }, world.b.admin.token);
    expect(second.status).toBe(201);
    expect(second.headers['idempotency-replayed']).toBeUndefined();
  });

  test('is checked after 401, 404, 403 and 400', async () => {
    const key = newId();
    const links = `${organization}/link-invites`;
    const first = await post(links, key, { role: 'read' });
    expect(first.status).toBe(201);
    const headers = { 'idempotency-key': key };
    expectError(await app.call('POST', links, { body: { role: 'read' }, headers }), 401);
    expectError(await post(links, key, { role: 'read' }, world.stranger.token), 404);
    expectError(await post(links, key, { role: 'read' }, world.a.people.create.token), 403);
    expectError(await post(links, key, { role: 'king' }), 400);
    expect((await post(links, key, { role: 'read' })).text).toBe(first.text);
  });

  test('replays nothing to a token without the scopes that the body requires', async () => {
    const { token } = world.a.admin;
    const space = await app.call('POST', `${organization}/spaces`, { token, body: { title: 'Opened' } });
    const scopes = ['organization:members:write'];
    const limited = await app.call('POST', '/v1/user/tokens', { token, body: { label: 'Limited', scopes } });
    const [key, body] = [newId(), { level: 'admin', space: space.body.id }];
    expect((await post(`${organization}/link-invites`, key, body)).status).toBe(201);
    const replayed = await post(`${organization}/link-invites`, key, body, limited.body.token);
    expectError(replayed, 403, /lacks the scope space:permissions:write/);
  });

  test('has no effect on other methods than POST', async () => {
    const headers = { 'idempotency-key': newId() };
    const put = (title: string) =>
      app.call('PUT', `${organization}/teams`, { token: world.a.admin.token, body: { title }, headers });
    const [one, two] = [await put('One'), await put('Two')];
    expect([one.status, two.status]).toEqual([201, 201]);
    expect(two.body.id).not.toBe(one.body.id);
  });
});

describe('every POST', () => {
  const posts = operations.filter((each) => each.method === 'POST' && !isRead(each));
  test.each(posts.map((operation) => [operation.id, operation] as const))(
    '%s can be repeated',
    async (_id, operation) => {
      const { url, body, token } = await sampleOf(app, operation, world.a);
      const call = {
        token,
        ...(body === undefined ? {} : { body }),
        headers: { 'idempotency-key': newId() },
      };
      const first = await app.call('POST', url, call);
      expect(first.status, first.text).toBe(operation.status);
      const second = await app.call('POST', url, call);
      expect(second.status, second.text).toBe(first.status);
      expect(second.text).toBe(first.text);
      expect(second.headers['idempotency-replayed']).toBe('true');
    },
  );
});

describe('the stored response', () => {
  test('may be a 409, which is replayed', async () => {
    const joined = await aPerson(app, 'joiner', 'alpha.example');
    const join = (key: string) =>
      app.call('POST', `${organization}/join`, { token: joined.token, headers: { 'idempotency-key': key } });
    expect((await join(newId())).status).toBe(204);
    const key = newId();
    const first = await join(key);
    expectError(first, 409, /already a member of this organization/);
    await app.call('DELETE', `${organization}/members/${joined.id}`, { token: world.a.admin.token });
    const second = await join(key);
    expectError(second, 409);
    expect(second.text).toBe(first.text);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect((await join(newId())).status).toBe(204);
  });

  test('is never another error: a corrected request may reuse the key', async () => {
    const { token } = await aPerson(app, 'founder');
    const key = newId();
    expectError(await createOrganization(key, 'x', token), 400);
    expect((await createOrganization(key, 'Corrected', token)).status).toBe(201);

    const unknown = newId();
    const links = `${organization}/link-invites`;
    expectError(await post(links, unknown, { role: 'read' }, world.a.people.read.token), 403);
    expect(await app.sql('select from idempotency_keys where key = $1', [unknown])).toHaveLength(0);
  });

  test('is encrypted, so that the database contains no readable token', async () => {
    const { body } = await post('/v1/user/tokens', 'a key to find', { label: 'Secret' });
    expect(body.token).toMatch(/^ov_/);
    const rows = await app.sql(
      `select *, encode(answer, 'escape') as readable from idempotency_keys where key = 'a key to find'`,
    );
    expect(rows).toHaveLength(1);
    const stored = JSON.stringify(rows) + String(rows[0]?.['answer']);
    for (const secret of [body.token, body.token.slice(3, 20), 'Secret', body.id])
      expect(stored).not.toContain(secret);
    expect((await post('/v1/user/tokens', 'a key to find', { label: 'Secret' })).body.token).toBe(body.token);
  });

  test('is deleted after a day', async () => {
    const { token } = await aPerson(app, 'founder');
    const [recent, old] = [newId(), newId()];
    const first = await createOrganization(recent, 'Young', token);
    await createOrganization(old, 'Old', token);
    await app.sql(
      `update idempotency_keys set created_at = now() - interval '23 hours 59 minutes' where key = $1`,
      [recent],
    );
    await app.sql(
      `update idempotency_keys set created_at = now() - interval '24 hours 1 minute' where key = $1`,
      [old],
    );
    await deleteOldAnswers(app.app.installation.connection.db);
    expect((await createOrganization(recent, 'Young', token)).text).toBe(first.text);
    expect((await createOrganization(old, 'Old', token)).headers['idempotency-replayed']).toBeUndefined();
  });
});

describe('concurrent requests with one key', () => {
  test('have one effect; the others get 409 or the same response', async () => {
    for (let round = 0; round < 15; round++) {
      const person = await aPerson(app, 'hasty');
      const key = newId();
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => createOrganization(key, 'Hasty', person.token)),
      );
      const succeeded = answers.filter(({ status }) => status === 201);
      expect(succeeded.length).toBeGreaterThan(0);
      expect(new Set(succeeded.map(({ text }) => text)).size).toBe(1);
      for (const answer of answers) if (answer.status !== 201) expectError(answer, 409, /still running/);
      expect(await countOf(person)).toBe(1);
      // The 409 was not stored instead of the response.
      expect((await createOrganization(key, 'Hasty', person.token)).text).toBe(succeeded[0]?.text);
    }
  });

  test('all get the response, once there is one', async () => {
    const person = await aPerson(app, 'patient');
    const key = newId();
    const first = await createOrganization(key, 'Patient', person.token);
    const repeated = () => createOrganization(key, 'Patient', person.token);
    const answers = await Promise.all(Array.from({ length: 60 }, repeated));
    for (const answer of answers) expect([answer.status, answer.text]).toEqual([201, first.text]);
    expect(await countOf(person)).toBe(1);
  });

  test('get 409 while the first still runs', async () => {
    const person = await aPerson(app, 'slow');
    const key = newId();
    // Creating an organization waits for this lock, which stops the first request in the middle.
    const holder = await app.app.installation.connection.pool.connect();
    try {
      await holder.query('begin');
      await holder.query('lock table members in exclusive mode');
      const first = createOrganization(key, 'Slow', person.token);
      await expect
        .poll(async () => (await app.sql(`select 1 from pg_locks where not granted`)).length)
        .toBeGreaterThan(0);
      const second = await createOrganization(key, 'Slow', person.token);
      expectError(second, 409, /still running/);
      expect(second.headers['retry-after']).toBe('1');
      await holder.query('rollback');
      expect((await first).status).toBe(201);
    } finally {
      // Closes the connection, and with it a transaction that a failure left open.
      holder.release(true);
    }
    expect(await countOf(person)).toBe(1);
  });

  test('that start slightly apart, with a precondition, have one effect and no server error', async () => {
    for (let round = 0; round < 40; round++) {
      const person = await aPerson(app, 'hasty');
      const headers = { 'idempotency-key': newId(), 'if-match': '*' };
      const call = { token: person.token, body: { title: 'Hasty' }, headers };
      const answers = await Promise.all(
        [0, 1, 2, 3, 4].map(async (place) => {
          await setTimeout(place * 1.2 + (round % 4));
          return app.call('POST', '/v1/orgs', call);
        }),
      );
      for (const { status, text } of answers) expect([201, 409], text).toContain(status);
      expect(await countOf(person)).toBe(1);
    }
  });
});
