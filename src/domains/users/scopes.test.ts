import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { expectError } from '../../../test/refusal.ts';
import { sampleOf } from '../../../test/sample.ts';
import { aWorld, type World } from '../../../test/world.ts';
import { scopesIn } from '../../platform/http/marked-ids.ts';
import type { Scope } from '../../platform/api/scope.ts';
import { SCOPES } from '../access/index.ts';
import { operations } from '../index.ts';
import { insertToken } from './index.ts';

let app: TestApp;
let world: World;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
});

/** A token of the same person as `token`, limited to `scopes`. */
async function limited(token: string, scopes: readonly Scope[]): Promise<string> {
  const { body } = await app.call('GET', '/v1/user', { token });
  return (await insertToken(app.app.installation.connection.db, body.id, { label: 'Limited', scopes })).token;
}

const guarded = operations.filter(({ access }) => access.kind !== 'anyone');

/** Covers every operation, including future ones. */
describe.each(guarded.map((operation) => [operation.id, operation] as const))('%s', (_id, operation) => {
  const send = async (scopesFor: (body: unknown) => readonly Scope[]) => {
    const { method, url, body, token } = await sampleOf(app, operation, world.a);
    const limits = { token: await limited(token, scopesFor(body)) };
    return app.call(method, url, { ...limits, ...(body === undefined ? {} : { body }) });
  };

  test('returns 403 with every scope but its own', async () => {
    const otherScopes = SCOPES.filter((scope) => scope !== operation.scope);
    const answer = await send(() => otherScopes);
    expectError(
      answer,
      403,
      operation.scope ? new RegExp(`lacks the scope ${operation.scope}`) : /without scopes/,
    );
  });

  if (operation.scope) {
    const own = operation.scope;
    test('succeeds with its own scope and those of the fields sent', async () => {
      const answer = await send((body) => [own, ...scopesIn(operation.body, body)]);
      expect(answer.status, answer.text).toBe(operation.status);
    });
  }
});

describe('a field that requires another scope', () => {
  async function pathOf(kind: 'orgs' | 'spaces' | 'collections'): Promise<string> {
    const organization = `/v1/orgs/${world.a.organizationId}`;
    if (kind === 'orgs') return organization;
    const { token } = world.a.admin;
    const made = await app.call('POST', `${organization}/${kind}`, { token, body: { title: 'New' } });
    return `/v1/${kind}/${made.body.id}`;
  }

  test.each([
    ['spaces', 'space:write', { defaultLevel: 'admin' }, 'space:permissions:write'],
    ['spaces', 'space:write', { defaultLevel: null }, 'space:permissions:write'],
    ['spaces', 'space:write', { editMode: 'live' }, 'space:permissions:write'],
    ['spaces', 'space:write', { mergeRules: { type: 'none' } }, 'space:permissions:write'],
    ['collections', 'space:write', { defaultLevel: 'admin' }, 'space:permissions:write'],
    ['orgs', 'organization:write', { defaultRole: 'admin' }, 'organization:members:write'],
    ['orgs', 'organization:write', { defaultRole: null }, 'organization:members:write'],
    ['orgs', 'organization:write', { emailDomains: ['evil.example'] }, 'organization:members:write'],
    ['orgs', 'organization:write', { inviteLinks: true }, 'organization:members:write'],
    ['orgs', 'organization:write', { mergeRules: { type: 'none' } }, 'organization:members:write'],
  ] as const)('%s, %s: %o requires %s', async (kind, own, body, needed) => {
    const path = await pathOf(kind);
    const { token: admin } = world.a.admin;
    const before = (await app.call('GET', path, { token: admin })).body;
    const token = await limited(admin, [own]);
    expectError(await app.call('PATCH', path, { token, body }), 403, new RegExp(`lacks the scope ${needed}`));
    expect((await app.call('GET', path, { token: admin })).body).toEqual(before);
    expect((await app.call('PATCH', path, { token, body: { title: 'Renamed' } })).status).toBe(200);
    const both = await limited(admin, [own, needed]);
    expect((await app.call('PATCH', path, { token: both, body })).status).toBe(200);
  });
});

describe('an operation open to anyone', () => {
  test('accepts a limited token, too', async () => {
    for (const { method, path } of operations.filter(({ access }) => access.kind === 'anyone')) {
      const answer = await app.call(method, path, {
        token: await limited(world.a.admin.token, ['site:ask']),
      });
      expect(answer.status).toBe(200);
    }
  });
});

describe('a scope', () => {
  test('does not extend the permissions of its user', async () => {
    const token = await limited(world.a.people.read.token, [
      'organization:write',
      'organization:members:write',
    ]);
    const organization = `/v1/orgs/${world.a.organizationId}`;
    expectError(await app.call('PATCH', organization, { token, body: {} }), 403, /Your role/);
    expectError(
      await app.call('PUT', `${organization}/teams`, { token, body: { title: 'T' } }),
      403,
      /Your role/,
    );
    expectError(await app.call('PATCH', `/v1/orgs/${world.b.organizationId}`, { token, body: {} }), 404);
  });
});
