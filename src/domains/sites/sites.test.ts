import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { publishedSitesOf, type PublishedSites } from '../../../test/published-sites.ts';
import { detailsOf, expectError } from '../../../test/refusal.ts';
import { aWorld, grantOn, type World } from '../../../test/world.ts';

let app: TestApp;
let world: World;
let sites: PublishedSites;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  sites = publishedSitesOf(app, world.a);
});

const create = (body?: object, token?: string) =>
  sites.call('POST', `${sites.organization}/sites`, body, token);
const patch = (site: string, body: object, token?: string) => sites.call('PATCH', site, body, token);
const configVersion = async (site: string) =>
  Number(
    (await app.sql('select config_version from sites where id = $1', [site.split('/').at(-1)]))[0]?.[
      'config_version'
    ],
  );

describe('creating a site', () => {
  test('without a body returns 201: untitled, public, not published and empty', async () => {
    const answer = await create();
    expect(answer.status, answer.text).toBe(201);
    const { id } = answer.body;
    const location = `http://octavo.test/v1/orgs/${world.a.organizationId}/sites/${id}`;
    expect(answer.body).toEqual({
      object: 'site',
      id: expect.stringMatching(/^\w{20}$/),
      type: 'basic',
      title: 'Untitled',
      icon: null,
      basename: expect.stringMatching(/^untitled/),
      visibility: 'public',
      published: false,
      siteSpaces: 0,
      createdAt: expect.any(String),
      adaptiveContent: { enabled: false },
      agentsContext: 'excluded',
      features: [],
      urls: {
        location,
        app: `http://octavo.test/app/sites/${id}`,
        preview: 'http://octavo.test/untitled/',
      },
      appliedType: 'basic',
      defaultLevel: null,
      permissions: {
        view: true,
        access: true,
        edit: true,
        create: true,
        admin: true,
        installIntegration: true,
        viewAdaptiveSchema: true,
        editAdaptiveSchema: true,
      },
    });
    expect(answer.headers['location']).toBe(location);
    expect((await sites.get(new URL(location).pathname)).body).toEqual(answer.body);
  });

  test('shows the given spaces in their order; the first is the default', async () => {
    const spaces = [await sites.aSpace(undefined, 'Two'), await sites.aSpace(undefined, 'One')];
    const { body } = await create({ title: 'Docs', type: 'ultimate', visibility: 'unlisted', spaces });
    expect(body).toMatchObject({ title: 'Docs', type: 'ultimate', visibility: 'unlisted', siteSpaces: 2 });
    expect(await sites.structure(new URL(body.urls.location).pathname)).toBe('Two* One');
  });

  test('makes the basename from the title; concurrent sites with one title get different ones', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => create({ title: 'Straße & Café' })));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201));
    const names = answers.map(({ body }) => body.basename);
    expect(new Set(names).size).toBe(8);
    expect(names.toSorted()[0]).toBe('strasse-cafe');
    const long = 'x'.repeat(128);
    const ofLong = [
      await create({ title: long }),
      await create({ title: long }),
      await create({ title: long }),
    ];
    expect(new Set(ofLong.map(({ body }) => body.basename.length))).toEqual(new Set([100]));
    expect((await create({ title: 'V1' })).body.basename).toBe('v1-1');
    expect((await create({ title: '🚀🚀' })).body.basename).toBe('site');
  });

  test('requires admin of the organization, and of each space', async () => {
    expectError(await create({}, world.a.people.create.token), 403);
    expectError(await create({}, world.b.admin.token), 404);
    const foreign = await app.call('POST', `/v1/orgs/${world.b.organizationId}/spaces`, {
      token: world.b.admin.token,
      body: {},
    });
    expectError(await create({ spaces: [foreign.body.id] }), 404);
    expectError(await create({ spaces: ['missing'] }), 404);
  });

  test.each([
    { title: 'x' },
    { title: 'x'.repeat(129) },
    { title: 7 },
    { visibility: 'private' },
    { type: 'free' },
  ])('refuses %j', async (body) => expectError(await create(body), 400));
});

describe('listing sites', () => {
  test('filters by space, title, publication and type, and pages', async () => {
    const space = await sites.aSpace();
    const one = await sites.aSite({ title: 'Filtered 100%', spaces: [space], type: 'premium' });
    const two = await sites.aSite({ title: 'Filtered other' });
    await sites.call('POST', `${two}/publish`);
    const list = async (query: string) =>
      (await sites.get(`${sites.organization}/sites?title=filtered&${query}`)).body.items.map(
        ({ id }: { id: string }) => id,
      );
    const [oneId, twoId] = [one, two].map((path) => path.split('/').at(-1));
    expect(await list('')).toEqual([oneId, twoId]);
    expect(await list(`space=${space}`)).toEqual([oneId]);
    expect(await list('published=true')).toEqual([twoId]);
    expect(await list('published=false')).toEqual([oneId]);
    expect(await list('type=premium')).toEqual([oneId]);
    expect(await list('type=basic&type=premium')).toEqual([oneId, twoId]);
    expect(
      (await sites.get(`${sites.organization}/sites?title=${encodeURIComponent('d 100%')}`)).body.count,
    ).toBe(1);
    const { body } = await sites.get(`${sites.organization}/sites?title=filtered&limit=1`);
    const next = await sites.get(`${sites.organization}/sites?title=filtered&limit=1&page=${body.next.page}`);
    expect([...body.items, ...next.body.items].map(({ id }: { id: string }) => id)).toEqual([oneId, twoId]);
    expectError(await sites.get(`${sites.organization}/sites?type=free`), 400);
    expectError(await sites.get(`${sites.organization}/sites?space=missing`), 404);
  });

  test('lists sites that the caller may view: all for admins, granted ones for others', async () => {
    const site = await sites.aSite();
    const id = site.split('/').at(-1) ?? '';
    const { token } = world.a.people.create;
    expectError(await sites.get(site, token), 404);
    const listed = async () => (await sites.get(`${sites.organization}/sites?limit=1000`, token)).body.count;
    expect(await listed()).toBe(0);
    await grantOn(app, world.a.people.create, 'read', [], [], [id]);
    await expect.poll(listed).toBe(1);
    expect((await sites.get(site, token)).body.permissions).toMatchObject({
      view: true,
      admin: false,
      edit: false,
      viewAdaptiveSchema: true,
    });
    expectError(await patch(site, { title: 'Mine' }, token), 403);
    expectError(await sites.call('POST', `${site}/publish`, undefined, token), 403);
  });
});

describe('updating a site', () => {
  test('changes the given fields and no others', async () => {
    const site = await sites.aSite({ title: 'Before' });
    const given = {
      title: 'After',
      visibility: 'share-link',
      basename: 'after-2.0_x',
      adaptiveContent: { enabled: true },
      agentsContext: 'included',
    };
    const { body } = await patch(site, given);
    expect(body).toMatchObject(given);
    expect((await patch(site, {})).body).toEqual(body);
    const proxied = await patch(site, { proxy: 'company.example/docs' });
    expect(proxied.body.proxy).toEqual({
      origin: 'company.example/docs',
      target: 'http://octavo.test/after-2.0_x/',
    });
    await sites.call('POST', `${site}/publish`);
    expect((await sites.get(site)).body.urls.published).toBe('https://company.example/docs/');
    expect((await patch(site, { proxy: null })).body.proxy).toBeUndefined();
    expect((await sites.get(site)).body.urls.published).toBe('http://octavo.test/after-2.0_x/');
  });

  test('refuses a basename that is taken, in any case: 409', async () => {
    const [one, two] = [await sites.aSite({ title: 'Taken' }), await sites.aSite()];
    const { basename } = (await sites.get(one)).body;
    expectError(await patch(two, { basename }), 409, /basename/);
    expectError(await patch(two, { basename: basename.toUpperCase() }), 409);
    expect((await patch(one, { basename: basename.toUpperCase() })).body.basename).toBe(basename);
  });

  test.each([
    'a/b',
    '..',
    '../x',
    'a..b',
    '.',
    '/',
    '~octavo',
    'v1',
    'App',
    'robots.txt',
    'a b',
    'a\u202eb',
    'a%2fb',
    'a\\b',
    '',
    'x'.repeat(101),
  ])('refuses the basename %j: 400', async (basename) => {
    const answer = await patch(await sites.aSite(), { basename });
    expectError(answer, 400);
    expect(detailsOf(answer)[0]).toMatch(/^body\.basename: must/);
  });

  test.each([
    'https://company.example/docs',
    'company.example',
    'company',
    'company.example/',
    'a.example/x?y',
  ])('refuses the proxy %j: 400', async (proxy) =>
    expectError(await patch(await sites.aSite(), { proxy }), 400),
  );

  test('compares If-Match with the version of the site', async () => {
    const site = await sites.aSite();
    const { etag = '' } = (await sites.get(site)).headers;
    const conditional = (title: string) =>
      app.call('PATCH', site, { token: world.a.admin.token, body: { title }, headers: { 'if-match': etag } });
    expect((await conditional('First')).status).toBe(200);
    expectError(await conditional('Second'), 412);
    const unchanged = await app.call('GET', site, {
      token: world.a.admin.token,
      headers: { 'if-none-match': (await sites.get(site)).headers['etag'] ?? '' },
    });
    expect(unchanged.status).toBe(304);
  });
});

describe('publishing', () => {
  test('sets and removes the published URL; repeating it changes nothing', async () => {
    const site = await sites.aSite({ title: 'Published here' });
    const published = await sites.call('POST', `${site}/publish`);
    expect(published.body).toMatchObject({
      published: true,
      urls: { published: 'http://octavo.test/published-here/' },
    });
    const version = await configVersion(site);
    expect((await sites.call('POST', `${site}/publish`)).body).toEqual(published.body);
    expect(await configVersion(site)).toBe(version);
    const { body } = await sites.call('POST', `${site}/unpublish`);
    expect([body.published, body.urls.published]).toEqual([false, undefined]);
    expect(await configVersion(site)).toBeGreaterThan(version);
  });
});

describe('deleting a site', () => {
  test('returns 205, then 404; its spaces remain', async () => {
    const space = await sites.aSpace();
    const site = await sites.aSite({ title: 'Gone', spaces: [space] });
    await sites.addSection(site, 'Section');
    await sites.addGroup(site, 'Group');
    await sites.call('POST', `${site}/share-links`, { name: 'Link' });
    expect((await sites.call('DELETE', site)).status).toBe(205);
    expectError(await sites.get(site), 404);
    expectError(await sites.call('DELETE', site), 404);
    expect((await sites.get(`/v1/spaces/${space}`)).status).toBe(200);
    for (const table of ['site_sections', 'site_section_groups', 'site_spaces', 'share_links'])
      expect(await app.sql(`select id from ${table} where site_id = $1`, [site.split('/').at(-1)])).toEqual(
        [],
      );
  });

  test('removes it from the default content of its organization', async () => {
    const site = await sites.aSite();
    const defaultContent = { type: 'site', site: site.split('/').at(-1) };
    const set = (value: object | null) => sites.call('PATCH', sites.organization, { defaultContent: value });
    expectError(await set({ type: 'site', site: 'missing' }), 400, /not a site of this organization/);
    expect((await set(defaultContent)).body.defaultContent).toEqual(defaultContent);
    await sites.call('DELETE', site);
    expect((await sites.get(sites.organization)).body.defaultContent).toBeUndefined();
  });
});

test('every change of a site increases its configuration version', async () => {
  const site = await sites.aSite();
  const section = await sites.addSection(site, 'Section');
  const other = await sites.addSection(site, 'Other');
  const group = await sites.addGroup(site, 'Group');
  const siteSpace = await sites.addSiteSpace(site, 'Variant');
  const link = await sites.created(sites.call('POST', `${site}/share-links`, { name: 'Link' }));
  const changes: readonly (readonly [method: string, path: string, body?: object])[] = [
    ['PATCH', '', { title: 'Renamed' }],
    ['PATCH', `/sections/${section.id}`, { condition: 'visitor.claims.beta' }],
    ['PATCH', `/section-groups/${group.id}`, { icon: 'gear' }],
    ['POST', `/section-groups/${group.id}/sections`, { sectionId: section.id }],
    ['PATCH', `/site-spaces/${siteSpace.id}`, { path: 'latest' }],
    ['PATCH', '', { defaultSiteSection: other.id }],
    ['PATCH', `/share-links/${link.id}`, { active: false }],
    ['DELETE', `/share-links/${link.id}`],
    ['DELETE', `/site-spaces/${siteSpace.id}`],
    ['DELETE', `/section-groups/${group.id}`],
    ['DELETE', `/sections/${section.id}`],
    ['POST', '/publish'],
  ];
  for (const [method, path, body] of changes) {
    const before = await configVersion(site);
    const { status, text } = await sites.call(method, site + path, body);
    expect(status, `${method} ${path} ${text}`).toBeLessThan(300);
    expect(await configVersion(site), `${method} ${path}`).toBeGreaterThan(before);
  }
});
