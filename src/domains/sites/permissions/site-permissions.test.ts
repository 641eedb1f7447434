import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../../test/app.ts';
import { publishedSitesOf, type PublishedSites } from '../../../../test/published-sites.ts';
import { expectError } from '../../../../test/refusal.ts';
import { aMember, aWorld, type World } from '../../../../test/world.ts';

let app: TestApp;
let world: World;
let sites: PublishedSites;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  sites = publishedSitesOf(app, world.a);
});

test('a grant to a user or a team opens a site with that role, until it is removed', async () => {
  const site = await sites.aSite();
  const [one, two] = [
    await aMember(app, world.a.organizationId, 'create'),
    await aMember(app, world.a.organizationId, null),
  ];
  const team = (await sites.call('PUT', `${sites.organization}/teams`, { title: 'Team', members: [one.id] }))
    .body.id;
  const share = (body: object) => sites.call('POST', `${site}/permissions`, body);
  const canAdmin = async (token: string) => {
    const { status, body } = await sites.get(site, token);
    return status === 200 ? body.permissions.admin : status;
  };
  expect([await canAdmin(one.token), await canAdmin(two.token)]).toEqual([404, 404]);
  expect((await share({ role: 'read', teams: [team] })).status).toBe(204);
  expect((await share({ role: 'admin', users: [two.id] })).status).toBe(204);
  expect([await canAdmin(one.token), await canAdmin(two.token)]).toEqual([false, true]);
  expect((await sites.get(`${site}/permissions/users`)).body.items).toMatchObject([
    { permission: 'admin', user: { id: two.id } },
  ]);
  expect((await sites.get(`${site}/permissions/teams`)).body.items).toMatchObject([
    { permission: 'read', team: { id: team } },
  ]);
  // The highest grant counts.
  await share({ role: 'admin', users: [one.id] });
  expect(await canAdmin(one.token)).toBe(true);
  expect((await sites.call('PATCH', `${site}/permissions/users/${one.id}`, { role: null })).status).toBe(204);
  expect(await canAdmin(one.token)).toBe(false);
  expect((await sites.call('DELETE', `${site}/permissions/teams/${team}`)).status).toBe(205);
  expect((await sites.call('DELETE', `${site}/permissions/users/${two.id}`)).status).toBe(205);
  expectError(await sites.call('DELETE', `${site}/permissions/users/${two.id}`), 404);
  expect([await canAdmin(one.token), await canAdmin(two.token)]).toEqual([404, 404]);
});

test('a grant on one site is none on another, and none on its spaces', async () => {
  const [site, other] = [await sites.aSite(), await sites.aSite()];
  const siteSpace = await sites.addSiteSpace(site, 'Space');
  const guest = await aMember(app, world.a.organizationId, null);
  await sites.call('POST', `${site}/permissions`, { role: 'admin', users: [guest.id] });
  expect((await sites.get(site, guest.token)).status).toBe(200);
  expectError(await sites.get(other, guest.token), 404);
  expectError(await sites.get(`/v1/spaces/${siteSpace.space.id}`, guest.token), 404);
  expect((await sites.get(`${site}/site-spaces`, guest.token)).body.count).toBe(0);
});

test('aggregate lists admins, users with a role on the site, and users with a grant on a shown space', async () => {
  const site = await sites.aSite();
  const siteSpace = await sites.addSiteSpace(site, 'Space');
  const granted = await aMember(app, world.a.organizationId, 'read');
  const ofSpace = await aMember(app, world.a.organizationId, null);
  await sites.call('POST', `${site}/permissions`, { role: 'edit', users: [granted.id] });
  await sites.share(siteSpace.space.id, 'comment', { users: [ofSpace.id, granted.id] });
  const list = async () =>
    (await sites.get(`${site}/permissions/aggregate?limit=1000`)).body.items.map(
      (item: { permission: string; user: { id: string }; origin: object }) => [
        item.user.id,
        item.permission,
        item.origin,
      ],
    );
  const organization = { type: 'organization', organization: world.a.organizationId };
  const expected = [
    [world.a.admin.id, 'admin', organization],
    [granted.id, 'edit', organization],
    [ofSpace.id, 'comment', { type: 'space', space: siteSpace.space.id }],
  ];
  expect(await list()).toEqual(expected.toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)));
  await sites.call('DELETE', `${site}/site-spaces/${siteSpace.id}`);
  expect((await list()).map(([id]: [string]) => id)).not.toContain(ofSpace.id);
  expectError(await sites.get(`${site}/permissions/aggregate`, granted.token), 403);
});

test('needs the scopes of sites', async () => {
  const site = await sites.aSite();
  const aToken = async (scopes: string[]) =>
    (await sites.call('POST', '/v1/user/tokens', { label: 'Scoped', scopes })).body.token;
  const read = await aToken(['site:read']);
  const write = await aToken(['site:read', 'site:write']);
  const auth = await aToken(['site:auth:read', 'site:auth:write']);
  expect((await sites.get(site, read)).status).toBe(200);
  expect((await sites.get(`${site}/structure`, read)).status).toBe(200);
  expectError(await sites.call('PATCH', site, { title: 'No' }, read), 403, /site:write/);
  expect((await sites.call('PATCH', site, { title: 'Yes' }, write)).status).toBe(200);
  expectError(await sites.call('POST', `${site}/publish`, undefined, write), 403, /site:publish/);
  expectError(await sites.get(`${site}/share-links`, write), 403, /site:auth:read/);
  expectError(await sites.get(`${site}/permissions/users`, write), 403, /site:permissions:read/);
  expect((await sites.call('POST', `${site}/share-links`, { name: 'Link' }, auth)).status).toBe(201);
  expectError(await sites.get(site, auth), 403, /site:read/);
});
