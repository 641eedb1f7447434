import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../../test/app.ts';
import { publishedSitesOf, type PublishedSites } from '../../../../test/published-sites.ts';
import { expectError } from '../../../../test/refusal.ts';
import { aMember, aWorld, grantOn, type World } from '../../../../test/world.ts';

let app: TestApp;
let world: World;
let sites: PublishedSites;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  sites = publishedSitesOf(app, world.a);
});

const create = (site: string, name = 'Partner', token?: string) =>
  sites.call('POST', `${site}/share-links`, { name }, token);
const keyOf = (link: { urls: { published: string } }) =>
  new URL(link.urls.published).pathname.split('/').at(-2) ?? '';

/** A published site with two sections, which only keys open. */
async function aSharedSite(title: string) {
  const site = await sites.aSite({ title, visibility: 'share-link' });
  await sites.addSection(site, 'Guides');
  const second = await sites.addSection(site, 'API');
  await sites.call('POST', `${site}/publish`);
  return { site, second, base: (await sites.get(site)).body.urls.published as string };
}

describe('share links', () => {
  test('are created, listed, renamed, closed and deleted', async () => {
    const { site, base } = await aSharedSite('Shared');
    const answer = await create(site);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toEqual({
      object: 'share-link',
      id: expect.stringMatching(/^\w{20}$/),
      createdAt: expect.any(String),
      name: 'Partner',
      active: true,
      urls: { published: expect.stringMatching(new RegExp(`^${base}[A-Za-z0-9]{32}/$`)) },
    });
    const path = `${site}/share-links/${answer.body.id}`;
    expect(answer.headers['location']).toBe(`http://octavo.test${path}`);
    expect((await sites.get(path)).body).toEqual(answer.body);
    const other = (await create(site, '')).body;
    expect(keyOf(other)).not.toBe(keyOf(answer.body));
    expect((await sites.get(`${site}/share-links`)).body).toEqual({ count: 2, items: [answer.body, other] });
    const closed = await sites.call('PATCH', path, { active: false, name: 'Closed' });
    expect(closed.body).toEqual({ ...answer.body, active: false, name: 'Closed' });
    expect((await sites.call('PATCH', path, {})).body).toEqual(closed.body);
    expect((await sites.call('DELETE', path)).status).toBe(205);
    expectError(await sites.call('DELETE', path), 404);
  });

  test('are stored without their key', async () => {
    const { site } = await aSharedSite('Sealed');
    const key = keyOf((await create(site)).body);
    const rows = await app.sql("select key_hash, encode(key_sealed, 'escape') as sealed from share_links");
    expect(key).toHaveLength(32);
    expect(JSON.stringify(rows)).not.toContain(key);
  });

  test('are visible to admins of the site only', async () => {
    const { site } = await aSharedSite('Private');
    const { id } = (await create(site)).body;
    const reader = await aMember(app, world.a.organizationId, 'create');
    await grantOn(app, reader, 'create', [], [], [site.split('/').at(-1) ?? '']);
    expectError(await sites.get(`${site}/share-links`, reader.token), 403);
    expectError(await create(site, 'Mine', reader.token), 403);
    expectError(await sites.get(`${site}/share-links/${id}`, reader.token), 404);
    const other = await sites.aSite();
    expectError(await sites.get(`${other}/share-links/${id}`), 404);
  });

  test.each([{}, { name: 'x'.repeat(51) }, { name: null }, { name: 'two\nlines' }])(
    'refuses %j: 400',
    async (body) => expectError(await sites.call('POST', `${await sites.aSite()}/share-links`, body), 400),
  );
});

describe('shareKey', () => {
  test('an active key resolves published URLs with the key, on every operation that accepts it', async () => {
    const { site, second, base } = await aSharedSite('Keyed');
    const link = (await create(site)).body;
    const key = keyOf(link);
    const space = second.siteSpaces[0].space.id;
    const urls = async (shareKey: string) => {
      const get = async (path: string) => (await sites.get(`${path}?shareKey=${shareKey}`)).body;
      const sections = (await get(`${site}/sections`)).items;
      return [
        ...sections.map((section: { urls: object }) => section.urls),
        sections[1].siteSpaces[0].urls,
        (await get(`${site}/structure`)).structure[1].urls,
        (await get(`${site}/site-spaces`)).items[1].urls,
        (await get(`${site}/sections/${second.id}`)).urls,
        (await get(`/v1/spaces/${space}`)).urls,
      ].map(({ published }) => published as string);
    };
    const of = (root: string) => [root, ...Array.from({ length: 6 }, () => `${root}api/`)];
    expect(await urls(key)).toEqual(of(`${base}${key}/`));
    for (const unknown of ['', 'guessed', key.slice(1), `${key}x`, encodeURIComponent('../..')])
      expect(await urls(unknown)).toEqual(of(base));
    await sites.call('PATCH', `${site}/share-links/${link.id}`, { active: false });
    expect(await urls(key)).toEqual(of(base));
    await sites.call('PATCH', `${site}/share-links/${link.id}`, { active: true });
    expect(await urls(key)).toEqual(of(`${base}${key}/`));
    await sites.call('PATCH', site, { visibility: 'unlisted' });
    expect(await urls(key)).toEqual(of(base));
    await sites.call('PATCH', site, { visibility: 'share-link' });
    await sites.call('DELETE', `${site}/share-links/${link.id}`);
    expect(await urls(key)).toEqual(of(base));
  });

  test('a key of another site is ignored', async () => {
    const [one, two] = [await aSharedSite('One'), await aSharedSite('Two')];
    const key = keyOf((await create(one.site)).body);
    const { structure } = (await sites.get(`${two.site}/structure?shareKey=${key}`)).body;
    expect(structure[0].urls.published).toBe(two.base);
  });
});
