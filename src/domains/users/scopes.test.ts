import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { expectError } from '../../../test/refusal.ts';
import { sampleOf, type Sample } from '../../../test/sample.ts';
import { aWorld, type World } from '../../../test/world.ts';
import { scopesIn } from '../../platform/http/admit/marked-ids.ts';
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
  // One for both tests: the request that is refused has no effect.
  let built: Promise<Sample> | undefined;
  const send = async (scopesFor: (body: unknown, ofIds: readonly Scope[]) => readonly Scope[]) => {
    const { method, url, body, token, ids } = await (built ??= sampleOf(app, operation, world.a));
    const ofIds = ids.flatMap(({ reference }) => reference.scope ?? []);
    const limits = { token: await limited(token, scopesFor(body, ofIds)) };
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
    const { access } = operation;
    const ofTarget =
      access.kind === 'target' ? access.resource.scope?.({} as never, access.action) : undefined;
    test('succeeds with its own scope, that of its target and those of the fields and ids sent', async () => {
      const answer = await send((body, ofIds) => [
        own,
        ofTarget ?? own,
        ...ofIds,
        ...scopesIn(operation.body, body),
      ]);
      expect(answer.status, answer.text).toBe(operation.status);
    });
  }
});

describe('a field that requires another scope', () => {
  async function pathOf(kind: 'orgs' | 'spaces' | 'collections' | 'sites'): Promise<string> {
    const organization = `/v1/orgs/${world.a.organizationId}`;
    if (kind === 'orgs') return organization;
    const { token } = world.a.admin;
    const made = await app.call('POST', `${organization}/${kind}`, { token, body: { title: 'New' } });
    return kind === 'sites' ? `${organization}/sites/${made.body.id}` : `/v1/${kind}/${made.body.id}`;
  }

  test.each([
    ['spaces', 'space:write', { defaultLevel: 'admin' }, 'space:permissions:write'],
    ['spaces', 'space:write', { defaultLevel: null }, 'space:permissions:write'],
    ['spaces', 'space:write', { editMode: 'live' }, 'space:permissions:write'],
    ['spaces', 'space:write', { mergeRules: { type: 'none' } }, 'space:permissions:write'],
    ['spaces', 'space:write', { visibility: 'public' }, 'site:publish'],
    ['sites', 'site:write', { visibility: 'visitor-auth' }, 'site:publish'],
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

describe('a space that a site shows', () => {
  test('needs the scope that gives access to the space', async () => {
    const { organizationId, admin } = world.a;
    const post = (path: string, body: object, token = admin.token) =>
      app.call('POST', `/v1/orgs/${organizationId}${path}`, { token, body });
    const site = (await post('/sites', { title: 'Shows' })).body.id;
    const space = (await post('/spaces', { title: 'Private' })).body.id;
    const narrow = await limited(admin.token, ['site:write']);
    for (const [path, body] of [
      [`/sites/${site}/site-spaces`, { spaceId: space }],
      ['/sites', { title: 'Another', spaces: [space] }],
    ] as const)
      expectError(await post(path, body, narrow), 403, /lacks the scope space:permissions:write/);
    const both = await limited(admin.token, ['site:write', 'space:permissions:write']);
    expect((await post(`/sites/${site}/site-spaces`, { spaceId: space }, both)).status).toBe(201);
  });
});

describe('an operation open to anyone', () => {
  test('accepts a limited token, too', async () => {
    for (const operation of operations.filter(({ access }) => access.kind === 'anyone')) {
      const { method, url, body } = await sampleOf(app, operation, world.a);
      const token = await limited(world.a.admin.token, ['site:ask']);
      const answer = await app.call(method, url, { token, ...(body === undefined ? {} : { body }) });
      expect(answer.status, answer.text).toBe(200);
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
