import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type Answer, type TestApp } from './app.ts';
import { expectError } from './refusal.ts';
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

describe('query parameters and fields', () => {
  test('that are unknown are ignored in the body', async () => {
    const body = { title: 'Alpha', invented: { deep: [1] }, '': 1, toString: 'x', hasOwnProperty: false };
    const answer = await app.call('PATCH', organization, { token: asAdmin(), body });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.title).toBe('Alpha');
    expect(answer.body).not.toHaveProperty('invented');
  });

  test('that are unknown are ignored in the query, and do not invalidate a cursor', async () => {
    const token = asAdmin();
    const first = await app.call('GET', `${organization}/members?limit=2&utm=x&__proto__=1&constructor=2`, {
      token,
    });
    expect(first.status, first.text).toBe(200);
    const page = encodeURIComponent(first.body.next.page);
    const second = await app.call('GET', `${organization}/members?limit=2&page=${page}&other=y`, { token });
    expect(second.status, second.text).toBe(200);
    expect(second.body.items[0].id).not.toBe(first.body.items[0].id);
  });

  test('that are unknown are ignored by operations without query or body', async () => {
    const token = asAdmin();
    expect((await app.call('GET', `${organization}?limit=x&page=y`, { token })).status).toBe(200);
    expect((await app.call('POST', `${organization}/ping`, { token, body: { a: 1 } })).status).toBe(200);
    expect((await app.call('POST', `${organization}/ping`, { token, raw: '{' })).status).toBe(200);
  });

  test.each([
    ['limit=1&limit=2', 'query.limit'],
    ['limit=true', 'query.limit'],
    ['limit=1e1', 'query.limit'],
    ['limit=%201', 'query.limit'],
    ['limit=99999999999999999999', 'query.limit'],
    ['role=owner', 'query.role'],
    ['sort=name', 'query.sort'],
    ['order=up', 'query.order'],
    ['search=a&search=b', 'query.search'],
    [`search=${'x'.repeat(513)}`, 'query.search'],
  ])('with an invalid value are 400: %s', async (query, place) => {
    const answer = await app.call('GET', `${organization}/members?${query}`, { token: asAdmin() });
    expectError(answer, 400);
    expect(answer.body.error.details[0].path).toBe(place);
  });
});

describe('read-only fields', () => {
  const READ_ONLY = {
    id: 'mine',
    object: 'x',
    createdAt: '2000-01-01T00:00:00.000Z',
    version: 99,
    role: 'admin',
  };
  const expectIgnored = (answer: Answer) => {
    expect(answer.status, answer.text).toBeLessThan(300);
    expect(answer.body.id).not.toBe('mine');
    expect(answer.body.object).not.toBe('x');
    expect(answer.body.createdAt ?? '2026').not.toMatch(/^2000/);
  };

  test('are ignored in an organization', async () => {
    const body = {
      title: 'New one',
      ...READ_ONLY,
      plan: 'free',
      organization: world.a.organizationId,
      permissions: {},
    };
    const created = await app.call('POST', '/v1/orgs', { token: world.stranger.token, body });
    expectIgnored(created);
    const patched = await app.call('PATCH', `/v1/orgs/${created.body.id}`, {
      token: world.stranger.token,
      body,
    });
    expectIgnored(patched);
    expect(patched.body.plan).toBe('enterprise_2024');
    expect(patched.body.permissions).toEqual(created.body.permissions);
  });

  test('are ignored in a user', async () => {
    const { id, email, token } = world.a.people.read;
    const body = {
      displayName: 'Renamed',
      ...READ_ONLY,
      email: 'root@evil.example',
      emailProven: true,
      email_proven_at: 1,
    };
    const answer = await app.call('PATCH', `/v1/users/${id}`, { token, body });
    expectIgnored(answer);
    expect(answer.body).toMatchObject({ id, email, displayName: 'Renamed' });
    const member = await app.call('GET', `${organization}/members/${id}`, { token });
    expect(member.body.role).toBe('read');
  });

  test('are ignored in a member', async () => {
    const { id } = world.a.people.comment;
    const body = {
      ...READ_ONLY,
      role: 'comment',
      disabled: true,
      sso: true,
      teams: 9,
      organization: world.b.organizationId,
    };
    const answer = await app.call('PATCH', `${organization}/members/${id}`, { token: asAdmin(), body });
    expectIgnored(answer);
    expect(answer.body).toMatchObject({ id, role: 'comment', disabled: false, sso: false, teams: 0 });
  });

  test('are ignored in a team', async () => {
    const other = world.b.organizationId;
    const body = {
      title: 'Team',
      ...READ_ONLY,
      organization: other,
      organization_id: other,
      members: [],
      spaces: 4,
    };
    const created = await app.call('PUT', `${organization}/teams`, { token: asAdmin(), body });
    expectIgnored(created);
    expect(created.body).toMatchObject({ title: 'Team', members: 0, spaces: 0 });
    const inOther = await app.call('GET', `/v1/orgs/${other}/teams/${created.body.id}`, {
      token: world.b.admin.token,
    });
    expectError(inOther, 404);
    expectIgnored(
      await app.call('PATCH', `${organization}/teams/${created.body.id}`, { token: asAdmin(), body }),
    );
  });

  test('are ignored in a token', async () => {
    const body = {
      label: 'Mine',
      ...READ_ONLY,
      token: 'ov_chosen',
      user: world.b.admin.id,
      user_id: world.b.admin.id,
      hash: 'x',
    };
    const created = await app.call('POST', '/v1/user/tokens', { token: asAdmin(), body });
    expectIgnored(created);
    expect(created.body.token).not.toBe('ov_chosen');
    const me = await app.call('GET', '/v1/user', { token: created.body.token });
    expect(me.body.id).toBe(world.a.admin.id);
  });

  test('are ignored in an invite link', async () => {
    const body = {
      ...READ_ONLY,
      role: 'read',
      redundant: true,
      organization: world.b.organizationId,
      expires_at: 'x',
    };
    const created = await app.call('POST', `${organization}/link-invites`, { token: asAdmin(), body });
    expectIgnored(created);
    expect(created.body).toMatchObject({ role: 'read', redundant: false });
    expect(created.body.urls.location).toContain(organization);
  });

  test('cannot be set through a prototype', async () => {
    const token = asAdmin();
    const before = (await app.call('GET', organization, { token })).body;
    for (const raw of [
      '{"__proto__":{"title":"Stolen","defaultRole":"admin","polluted":1}}',
      '{"constructor":{"prototype":{"title":"Stolen","polluted":1}}}',
      '{"\\u005f_proto__":{"title":"Stolen","polluted":1}}',
    ]) {
      const answer = await app.call('PATCH', organization, { token, raw });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body).toEqual(before);
      expect({}).not.toHaveProperty('polluted');
    }
    // A required field on a prototype is a missing field.
    expectError(
      await app.call('PUT', `${organization}/teams`, { token, raw: '{"__proto__":{"title":"T"}}' }),
      400,
    );
  });
});
