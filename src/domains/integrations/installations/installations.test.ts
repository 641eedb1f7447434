import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type Call, type TestApp } from '../../../../test/app.ts';
import { contentsOf, insert } from '../../../../test/content.ts';
import { install, tokenOf, type Installed } from '../../../../test/installations.ts';
import { publishAs } from '../../../../test/integrations.ts';
import { expectError } from '../../../../test/refusal.ts';
import { aMember, aWorld, grantOn, type World } from '../../../../test/world.ts';
import { operations } from '../../index.ts';
import { finerScopes } from './reach.ts';

let app: TestApp;
let world: World;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
});

const asA = (method: string, path: string, body?: unknown) =>
  app.call(method, path, { token: world.a.admin.token, body });
const asB = (method: string, path: string, body?: unknown) =>
  app.call(method, path, { token: world.b.admin.token, body });
/** An integration of beta, installed on alpha. */
const installed = (more: object = {}): Promise<Installed> => install(app, world.b, world.a, more);
const ofA = (path: string) => `/v1/orgs/${world.a.organizationId}${path}`;
async function aSpace(): Promise<string> {
  const { body } = await asA('POST', ofA('/spaces'), { title: 'Covered', editMode: 'live' });
  return body.id;
}
const aSite = async (): Promise<string> => (await asA('POST', ofA('/sites'), { title: 'Covered' })).body.id;

describe('an installation', () => {
  test('is active, or pending until the required values are set', async () => {
    expect((await installed()).body.status).toBe('active');
    const properties = {
      key: { type: 'string' },
      level: { type: 'string', enum: ['low', 'high'] },
      count: { type: 'number', default: 3 },
      shown: { type: 'boolean' },
      connect: { type: 'button', callback_url: '/connect', button_text: 'Connect' },
    };
    const configurations = { account: { properties, required: ['key', 'count'] } };
    const { path, body } = await installed({ configurations });
    expect(body.status).toBe('pending');
    for (const [configuration, rule] of [
      [{ other: 1 }, /other is no property/],
      [{ key: 5 }, /key must be a string/],
      [{ level: 'none' }, /level must be one of "low", "high"/],
      [{ count: '3' }, /count must be a number/],
      [{ shown: null }, /shown must be a boolean/],
      [{ connect: true }, /connect is a button/],
      [{ toString: 'a' }, /toString is no property/],
    ] as const)
      expectError(await asA('PATCH', path, { configuration }), 400, rule);
    const { body: set } = await asA('PATCH', path, { configuration: { key: 'a', level: 'low' } });
    expect(set).toMatchObject({ status: 'active', configuration: { key: 'a', level: 'low' } });
    expect((await asA('PATCH', path, { configuration: {} })).body.status).toBe('pending');
  });

  test('is made once, by an admin of the organization, of an integration that they may see', async () => {
    const { name, path } = await installed();
    const all = `/v1/integrations/${name}/installations`;
    const body = { organization: world.a.organizationId };
    expectError(await asA('POST', all, body), 409, /installed on this organization already/);
    expectError(await asB('POST', all, body), 404);
    const { token } = world.a.people.create;
    expectError(await app.call('POST', all, { token, body }), 403);
    expectError(await app.call('PATCH', path, { token, body: {} }), 403);
    expectError(await app.call('GET', path, { token: world.a.people.guest.token }), 404);
    expect((await app.call('GET', path, { token })).status).toBe(200);
    await publishAs(app, world.b, 'only-beta');
    expectError(await asA('POST', '/v1/integrations/only-beta/installations', body), 404);
    const both = await aMember(app, world.a.organizationId, 'admin');
    await app.sql(`insert into members (organization_id, user_id, role) values ($1, $2, 'admin')`, [
      world.b.organizationId,
      both.id,
    ]);
    const privately = await app.call('POST', '/v1/integrations/only-beta/installations', {
      token: both.token,
      body,
    });
    expectError(privately, 404, /private/);
  });

  test('is listed for its organization, and for its publisher', async () => {
    const { name, id, path } = await installed({ title: 'Listed here' });
    await asA('PATCH', path, { externalIds: ['workspace-1'] });
    const query = { search: 'listed here' };
    const { body } = await app.call('GET', ofA('/installations'), {
      token: world.a.people.read.token,
      query,
    });
    expect(body.items).toMatchObject([{ installation: { id }, integration: { name, title: 'Listed here' } }]);
    const status = await asA('GET', ofA(`/integrations/${name}/installation_status`));
    expect(status.body).toEqual({ status: 'active' });
    expectError(
      await asB('GET', `/v1/orgs/${world.b.organizationId}/integrations/${name}/installation_status`),
      404,
    );
    expect((await asA('GET', ofA('/integrations/installations-status'))).body.items).toContainEqual(
      expect.objectContaining({ status: 'active', integration: expect.objectContaining({ name }) }),
    );
    const all = `/v1/integrations/${name}/installations`;
    expectError(await asA('GET', all), 403);
    for (const [externalId, ids] of [
      ['workspace-1', [id]],
      ['workspace-2', []],
    ] as const) {
      const found = await app.call('GET', all, { token: world.b.admin.token, query: { externalId } });
      expect(found.body.items.map((each: { id: string }) => each.id)).toEqual(ids);
    }
    expectError(await asA('PATCH', path, { externalIds: ['1', '2', '3', '4', '5', '6'] }), 400);
  });

  test('on a space needs its admin, and its publisher sees no more of it than its id', async () => {
    const { name, path } = await installed({
      target: 'space',
      configurations: { space: { properties: { key: { type: 'string' } }, required: ['key'] } },
    });
    const [space, site] = [await aSpace(), await aSite()];
    const onSpace = `${path}/spaces/${space}`;
    const editor = world.a.people.edit;
    const byEditor = (more: Call = {}) =>
      app.call('POST', `${path}/spaces`, { token: editor.token, body: { space }, ...more });
    expectError(await byEditor(), 403);
    await grantOn(app, editor, 'admin', [space]);
    expect((await byEditor()).body).toMatchObject({ status: 'pending', space, integration: name });
    expectError(await byEditor(), 409, /installed on this space already/);
    expectError(await asA('POST', `${path}/sites`, { siteId: site }), 409, /not made for sites/);
    expectError(await asA('PATCH', onSpace, { configuration: { other: 1 } }), 400);
    const patched = await asA('PATCH', onSpace, { configuration: { key: 'a' }, externalIds: ['e1'] });
    expect(patched.body).toMatchObject({ status: 'active', externalIds: ['e1'] });
    expect((await asA('GET', path)).body.spaces).toBe(1);
    const extended = { extended: true };
    const listOf = async (token: string, from: string, query: NonNullable<Call['query']> = extended) =>
      (await app.call('GET', from, { token, query })).body.items;
    expect(await listOf(world.a.admin.token, `${path}/spaces`)).toMatchObject([{ space: { id: space } }]);
    expect(await listOf(world.b.admin.token, `${path}/spaces`)).toMatchObject([{ space }]);
    expect(
      await listOf(world.b.admin.token, `/v1/integrations/${name}/spaces`, { externalId: 'e1' }),
    ).toMatchObject([{ space }]);
    expectError(await asB('PATCH', onSpace, {}), 403);
    expectError(await asB('DELETE', onSpace), 403);
    expect((await asA('GET', `/v1/spaces/${space}/integrations`)).body.items).toMatchObject([{ name }]);
    expect((await asA('DELETE', onSpace)).status).toBe(205);
    expectError(await asA('GET', onSpace), 404);
    expect((await asA('GET', `/v1/spaces/${space}/integrations`)).body.items).toEqual([]);
  });

  test('on a site is configured and listed like one on a space', async () => {
    const { name, path } = await installed({
      configurations: { site: { properties: { id: { type: 'string' } } } },
    });
    const site = await aSite();
    expect((await asA('POST', `${path}/sites`, { siteId: site })).body).toMatchObject({
      site,
      status: 'active',
    });
    await asA('PATCH', `${path}/sites/${site}`, { configuration: { id: 'G-1' } });
    expect((await asA('GET', `${path}/sites/${site}?extended=true`)).body).toMatchObject({
      site: { object: 'site', id: site },
      configuration: { id: 'G-1' },
    });
    expect((await asB('GET', `/v1/integrations/${name}/sites`)).body.items).toMatchObject([{ site }]);
    expect((await asA('GET', ofA(`/sites/${site}/integrations`))).body.items).toMatchObject([{ name }]);
    expect((await asA('DELETE', `${path}/sites/${site}`)).status).toBe(205);
  });
});

describe('a token of an installation', () => {
  const READ = ['space:content:read', 'space:metadata:read'];

  test('is created by an admin of the publisher only', async () => {
    const to = await installed();
    expectError(await asA('POST', `${to.path}/tokens`), 403);
    expectError(await app.call('POST', `${to.path}/tokens`, { token: world.b.people.create.token }), 404);
    expectError(await app.call('POST', `${to.path}/tokens`, { token: world.stranger.token }), 404);
    expect(await tokenOf(app, world.b, to)).toMatch(/\S{20}/);
    const [row] = await app.sql(
      `select expires_at <= now() + interval '61 minutes' as is_short from tokens t
       join integration_installations i on i.user_id = t.user_id where i.id = $1`,
      [to.id],
    );
    expect(row).toEqual({ is_short: true });
  });

  test('reads the selected spaces, and nothing else', async () => {
    const to = await installed({ scopes: READ });
    const [covered, other] = [await aSpace(), await aSpace()];
    await contentsOf(app, world.a).edit(`/v1/spaces/${covered}`, insert('Welcome', 'Hello.'));
    const token = await tokenOf(app, world.b, to);
    const statusOf = async (path: string, method = 'GET', body?: unknown) =>
      (await app.call(method, path, { token, body })).status;
    expect(await statusOf(`/v1/spaces/${covered}/content/pages`)).toBe(404);
    await asA('POST', `${to.path}/spaces`, { space: covered });
    expect(await statusOf(`/v1/spaces/${covered}/content/pages`)).toBe(200);
    expect(await statusOf(`/v1/spaces/${covered}`)).toBe(200);
    expect(await statusOf(`/v1/spaces/${other}`)).toBe(404);
    const { body } = await app.call('GET', ofA('/spaces'), { token });
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual([covered]);
    // In the space, but not in its scopes.
    const change = { changes: [insert('New', 'Text.')] };
    expect(await statusOf(`/v1/spaces/${covered}/content`, 'POST', change)).toBe(403);
    for (const path of ['/comments', '/permissions/users'])
      expect(await statusOf(`/v1/spaces/${covered}${path}`)).toBe(403);
    for (const path of ['', '/members', '/teams', '/openapi', '/installations', '/sites'])
      expect(await statusOf(ofA(path))).toBe(403);
    for (const path of ['/v1/user', '/v1/user/tokens', '/v1/orgs', '/v1/integrations'])
      expect(await statusOf(path)).toBe(403);
    await asA('DELETE', `${to.path}/spaces/${covered}`);
    expect(await statusOf(`/v1/spaces/${covered}`)).toBe(404);
  });

  test('covers every space where all are selected, private and later ones, too', async () => {
    const to = await installed({ scopes: READ });
    const hidden = await aSpace();
    await asA('PATCH', `/v1/spaces/${hidden}`, { defaultLevel: null });
    const token = await tokenOf(app, world.b, to);
    await asA('PATCH', to.path, { space_selection: 'all' });
    const later = await aSpace();
    for (const id of [hidden, later])
      expect((await app.call('GET', `/v1/spaces/${id}`, { token })).status).toBe(200);
    await asA('PATCH', to.path, { space_selection: 'selected' });
    for (const id of [hidden, later]) expectError(await app.call('GET', `/v1/spaces/${id}`, { token }), 404);
  });

  test('writes with the scopes that allow it, as the integration', async () => {
    const to = await installed({ title: 'Writer', scopes: ['space:content:read', 'space:content:write'] });
    const space = await aSpace();
    await asA('POST', `${to.path}/spaces`, { space });
    const token = await tokenOf(app, world.b, to);
    const path = `/v1/spaces/${space}`;
    const written = await app.call('POST', `${path}/content`, {
      token,
      body: { changes: [insert('By it', 'A.')] },
    });
    expect(written.status, written.text).toBe(200);
    const request = await app.call('POST', `${path}/change-requests`, {
      token,
      body: { subject: 'Proposed' },
    });
    expect(request.body).toMatchObject({ createdBy: { displayName: 'Writer', email: '' } });
    expectError(await app.call('POST', `${path}/change-requests/${request.body.id}/merge`, { token }), 403);
    expectError(await app.call('PATCH', path, { token, body: { title: 'Renamed' } }), 403);
    expectError(await app.call('DELETE', path, { token }), 403);
    await publishAs(app, world.b, to.name, { visibility: 'public', scopes: ['space:content:read'] });
    const body = { changes: [insert('Again', 'A.')] };
    expectError(await app.call('POST', `${path}/content`, { token, body }), 403);
  });

  test('reaches specifications and sites with the scopes for them', async () => {
    const to = await installed({
      scopes: ['openapi:read', 'openapi:write', 'site:metadata:read', 'site:adaptive:write'],
    });
    const site = await aSite();
    await asA('POST', `${to.path}/sites`, { siteId: site });
    const token = await tokenOf(app, world.b, to);
    const source = { text: '{"openapi":"3.1.0","info":{"title":"A","version":"1"},"paths":{}}' };
    expect((await app.call('PUT', ofA('/openapi/of-integration'), { token, body: { source } })).status).toBe(
      200,
    );
    expect((await app.call('GET', ofA('/openapi/of-integration'), { token })).status).toBe(200);
    expect((await app.call('GET', ofA(`/sites/${site}`), { token })).status).toBe(200);
    const adaptive = {
      jsonSchema: { type: 'object', properties: {}, additionalProperties: false },
    };
    const put = await app.call('PUT', ofA(`/sites/${site}/adaptive-schema`), { token, body: adaptive });
    expect(put.status, put.text).toBe(200);
    expectError(await app.call('PATCH', ofA(`/sites/${site}`), { token, body: { title: 'Renamed' } }), 403);
    expectError(await app.call('POST', ofA('/spaces'), { token, body: {} }), 403);
    expectError(await app.call('GET', `/v1/orgs/${world.b.organizationId}/openapi`, { token }), 404);
  });

  test('updates its own configuration, and not what it covers', async () => {
    const to = await installed({ configurations: { account: { properties: { key: { type: 'string' } } } } });
    const another = await installed();
    const token = await tokenOf(app, world.b, to);
    const body = { configuration: { key: 'by itself' }, externalIds: ['w'] };
    expect((await app.call('PATCH', to.path, { token, body })).body).toMatchObject(body);
    expectError(await app.call('PATCH', to.path, { token, body: { space_selection: 'all' } }), 403);
    expectError(await app.call('DELETE', to.path, { token }), 403);
    expectError(await app.call('GET', another.path, { token }), 404);
    expectError(await app.call('POST', `${to.path}/tokens`, { token }), 403);
  });

  test('gets more scopes only when the organization accepts them', async () => {
    const to = await installed({ scopes: ['space:metadata:read'] });
    const space = await aSpace();
    await asA('POST', `${to.path}/spaces`, { space });
    await publishAs(app, world.b, to.name, { visibility: 'public', scopes: READ });
    const pages = `/v1/spaces/${space}/content/pages`;
    expectError(await app.call('GET', pages, { token: await tokenOf(app, world.b, to) }), 403);
    expectError(await asA('PATCH', to.path, { scopes: ['space:git:sync'] }), 400, /does not ask for/);
    expect((await asA('PATCH', to.path, { scopes: READ })).body.scopes.toSorted()).toEqual(READ.toSorted());
    expect((await app.call('GET', pages, { token: await tokenOf(app, world.b, to) })).status).toBe(200);
  });

  test.each<[string, (to: Installed, scopes: string[]) => Promise<unknown>]>([
    ['the organization takes back', ({ path }, scopes) => asA('PATCH', path, { scopes })],
    [
      'a later version no longer asks for',
      ({ name }, scopes) => publishAs(app, world.b, name, { visibility: 'public', scopes }),
    ],
  ])('loses at once the scopes that %s', async (_, narrow) => {
    const to = await installed({ scopes: READ });
    const space = await aSpace();
    await asA('POST', `${to.path}/spaces`, { space });
    const token = await tokenOf(app, world.b, to);
    const get = (path = '') => app.call('GET', `/v1/spaces/${space}${path}`, { token });
    expect((await get('/content/pages')).status).toBe(200);
    await narrow(to, ['space:metadata:read']);
    expectError(await get('/content/pages'), 403);
    expect((await get()).status).toBe(200);
    expect((await app.call('GET', to.path, { token })).status).toBe(200);
  });

  test.each<[string, (to: Installed) => Promise<unknown>]>([
    ['paused', ({ path }) => asA('PATCH', path, { status: 'paused' })],
    ['uninstalled', ({ path }) => asA('DELETE', path)],
    ['unpublished', ({ name }) => asB('DELETE', `/v1/integrations/${name}`)],
  ])('ends when the installation is %s', async (name, end) => {
    const to = await installed({ scopes: READ });
    const space = await aSpace();
    await asA('POST', `${to.path}/spaces`, { space });
    const token = await tokenOf(app, world.b, to);
    const get = () => app.call('GET', `/v1/spaces/${space}`, { token });
    expect((await get()).status).toBe(200);
    await end(to);
    expectError(await get(), 401);
    if (name !== 'paused') return;
    expectError(await asB('POST', `${to.path}/tokens`), 409, /paused/);
    expect((await asA('PATCH', to.path, { status: 'active' })).body.status).toBe('active');
    const fresh = await tokenOf(app, world.b, to);
    expect((await app.call('GET', `/v1/spaces/${space}`, { token: fresh })).status).toBe(200);
  });

  test('belongs to no member, and a copy of a space is not covered', async () => {
    const to = await installed({ title: 'Invisible', scopes: READ });
    const space = await aSpace();
    await asA('POST', `${to.path}/spaces`, { space });
    const token = await tokenOf(app, world.b, to);
    const [{ user_id: userId } = {}] = await app.sql(
      'select user_id from integration_installations where id = $1',
      [to.id],
    );
    for (const path of [
      ofA('/members?limit=1000'),
      `/v1/spaces/${space}/permissions/users`,
      `/v1/spaces/${space}/permissions/aggregate?limit=1000`,
    ])
      expect((await asA('GET', path)).text).not.toContain(String(userId));
    expectError(await asA('GET', ofA(`/members/${userId}`)), 404);
    expectError(await asA('DELETE', `/v1/spaces/${space}/permissions/users/${userId}`), 404);
    const copy = await asA('POST', `/v1/spaces/${space}/duplicate`);
    expectError(await app.call('GET', `/v1/spaces/${copy.body.id}`, { token }), 404);
  });

  test('is admitted to operations that exist', () => {
    const known = new Map(operations.map((operation) => [operation.id, operation]));
    expect([...finerScopes().keys()].filter((id) => !known.get(id)?.scope)).toEqual([]);
  });
});
