import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { detailsOf, expectError } from '../../../test/refusal.ts';
import { aSite, type TestSite } from '../../../test/site-settings.ts';
import { edit } from '../../../test/builders/content.ts';
import { aWorld, grantOn, type World } from '../../../test/world.ts';

let app: TestApp;
let world: World;
let site: TestSite;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  site = await aSite(app, world.a);
});

const call = (method: string, path: string, body?: unknown, token = world.a.admin.token) =>
  app.call(method, `${site.path}${path}`, { token, ...(body === undefined ? {} : { body }) });
const toPage = () => ({ kind: 'site-page', siteSpaceId: site.siteSpaceId, pageId: site.pageId });
const toSpace = () => ({ kind: 'site-space', siteSpaceId: site.siteSpaceId });
const create = (source: string, destination: object = toPage()) =>
  call('POST', '/redirects', { source, destination });
const find = (source: string) => call('GET', `/redirect?source=${encodeURIComponent(source)}`);

describe('a redirect', () => {
  test('is created, found, listed, updated and deleted', async () => {
    const answer = await create('/Old/Page');
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toEqual({
      object: 'site-redirect',
      id: expect.stringMatching(/^\w{20}$/),
      source: '/Old/Page',
      destination: toPage(),
      draft: false,
      captureWildcard: false,
      permanent: true,
      createdAt: expect.any(String),
    });
    const { id } = answer.body;
    expect((await call('GET', '/redirects?search=OLD')).body).toMatchObject({ count: 1, items: [{ id }] });
    expect((await call('GET', '/redirects?search=new')).body).toMatchObject({ count: 0, items: [] });
    const found = await find('/old/page');
    expect(found.body.redirect.id).toBe(id);
    expect(found.body.target).toMatch(/^http:\/\/octavo\.test\/[\w-]+\/guide\/install\/$/);
    const updated = await call('PATCH', `/redirects/${id}`, { source: '/older' });
    expect(updated.body).toMatchObject({ id, source: '/older', destination: toPage() });
    const moved = await call('PATCH', `/redirects/${id}`, { destination: toSpace() });
    expect(moved.body).toMatchObject({ id, source: '/older', destination: toSpace() });
    expectError(await find('/old/page'), 404);
    expect((await find('/older')).body.target).toMatch(/^http:\/\/octavo\.test\/[\w-]+\/$/);
    expect((await call('DELETE', `/redirects/${id}`)).status).toBe(205);
    expectError(await find('/older'), 404);
    expectError(await call('DELETE', `/redirects/${id}`), 404);
  });

  test('has a source that is unique without case and encoding', async () => {
    expect((await create('/taken')).status).toBe(201);
    for (const source of ['/taken', '/TAKEN', '/%74aken'])
      expectError(await create(source), 409, /already has a redirect/);
    const { body } = await create('/free');
    expectError(await call('PATCH', `/redirects/${body.id}`, { source: '/taken' }), 409);
    const other = await aSite(app, world.a);
    const elsewhere = await app.call('POST', `${other.path}/redirects`, {
      token: world.a.admin.token,
      body: { source: '/taken', destination: { kind: 'site-space', siteSpaceId: other.siteSpaceId } },
    });
    expect(elsewhere.status).toBe(201);
  });

  test('follows its destination', async () => {
    await create('/followed');
    await edit(app, world.a, site.spaceId, [{ operation: 'update_page', page: site.pageId, slug: 'setup' }]);
    expect((await find('/followed')).body.target).toMatch(/\/guide\/setup\/$/);
    await edit(app, world.a, site.spaceId, [
      { operation: 'update_page', page: site.pageId, slug: 'install' },
    ]);
  });

  test('cannot lead to itself, nor to a path', async () => {
    expectError(await create('/guide/install'), 400, /own source/);
    expectError(await create('/Guide/Install'), 400, /own source/);
    const { body } = await create('/elsewhere');
    expectError(await call('PATCH', `/redirects/${body.id}`, { source: '/guide/install' }), 400);
    expectError(await create('/a', { kind: 'url', url: '/b' }), 400);
  });

  test('has a destination that the caller may view, in this site', async () => {
    const other = await aSite(app, world.a);
    const foreign = await aSite(app, world.b);
    for (const { siteSpaceId } of [other, foreign, { siteSpaceId: 'missing' }])
      expectError(await create('/x', { kind: 'site-space', siteSpaceId }), 404);
    expectError(
      await create('/x', { kind: 'site-page', siteSpaceId: site.siteSpaceId, pageId: 'missing' }),
      404,
      /Page "missing"/,
    );
    expectError(
      await create('/x', { kind: 'site-page', siteSpaceId: site.siteSpaceId, pageId: other.pageId }),
      404,
    );
    expectError(await create('/x', { kind: 'site-section', siteSectionId: 'missing' }), 404);
  });

  test.each([
    '',
    '/',
    'a',
    '/a/',
    '//a',
    '/a b',
    '/a?b',
    '/a#b',
    '/é',
    '/%zz',
    `/${'x'.repeat(512)}`,
    '/a/../b',
    '/%2e%2e',
    '/a%2fb',
    '/%ff',
    '/~octavo/mcp',
    '/~/x',
  ])('refuses the source %j', async (source) => {
    const answer = await create(source);
    expectError(answer, 400);
    expect(detailsOf(answer)[0]).toMatch(/^body\.source/);
  });

  test('is deleted with its destination', async () => {
    const own = await aSite(app, world.a);
    const { token } = world.a.admin;
    const section = await app.call('POST', `${own.path}/sections`, {
      token,
      body: { spaceId: own.spaceId, title: 'Second' },
    });
    expect(section.status, section.text).toBe(201);
    const destination = { kind: 'site-section', siteSectionId: section.body.id };
    const redirect = await app.call('POST', `${own.path}/redirects`, {
      token,
      body: { source: '/s', destination },
    });
    expect(redirect.status, redirect.text).toBe(201);
    await app.call('DELETE', `${own.path}/sections/${section.body.id}`, { token });
    expect((await app.call('GET', `${own.path}/redirects`, { token })).body.count).toBe(0);
  });
});

describe('a redirect into a space that the caller may not view', () => {
  test('does not exist for them', async () => {
    const own = await aSite(app, world.a);
    const { admin, people } = world.a;
    const at = (token: string, method: string, path: string, body?: object) =>
      app.call(method, `${own.path}${path}`, { token, ...(body ? { body } : {}) });
    const destination = { kind: 'site-page', siteSpaceId: own.siteSpaceId, pageId: own.pageId };
    const { body } = await at(admin.token, 'POST', '/redirects', { source: '/old', destination });
    const { token } = people.edit;
    await grantOn(app, people.edit, 'admin', [], [], [own.id]);
    expect((await at(token, 'GET', '/redirects')).body.count).toBe(1);
    await app.call('PATCH', `/v1/spaces/${own.spaceId}`, {
      token: admin.token,
      body: { defaultLevel: null },
    });
    expect((await at(token, 'GET', '/redirects')).body).toMatchObject({ count: 0, items: [] });
    expectError(await at(token, 'GET', '/redirect?source=/old'), 404);
    expectError(await at(token, 'PATCH', `/redirects/${body.id}`, { source: '/older' }), 404);
    expectError(await at(token, 'DELETE', `/redirects/${body.id}`), 404);
    const section = await at(admin.token, 'POST', '/sections', { spaceId: own.spaceId, title: 'Open' });
    const replacement = { kind: 'site-section', siteSectionId: section.body.id };
    expectError(await at(token, 'POST', '/redirects', { source: '/old', destination: replacement }), 409);
    expectError(
      await at(token, 'PUT', '/redirects', { redirects: [{ source: '/OLD', destination: replacement }] }),
      409,
      /already has a redirect/,
    );
    expect((await at(admin.token, 'GET', '/redirect?source=/old')).body.redirect).toEqual(body);
  });
});

describe('PUT redirects', () => {
  const bulk = (redirects: readonly object[]) => call('PUT', '/redirects', { redirects });

  test('creates and updates, and leaves others', async () => {
    const first = await bulk([
      { source: '/one', destination: toPage() },
      { source: '/two', destination: toPage() },
    ]);
    expect(first.status, first.text).toBe(200);
    expect(first.body.items.map((item: { status: string }) => item.status)).toEqual(['created', 'created']);
    const second = await bulk([
      { source: '/one', destination: toSpace() },
      { source: '/TWO', destination: toPage() },
      { source: '/three', destination: toPage() },
    ]);
    expect(second.body.items.map((item: { status: string }) => item.status)).toEqual([
      'updated',
      'updated',
      'created',
    ]);
    const third = await bulk([{ source: '/three', destination: toPage() }]);
    expect(third.body.items).toEqual([{ ...second.body.items[2], status: 'unchanged' }]);
    expect(second.body.results).toEqual(
      second.body.items.map(({ status, source, id }: { status: string; source: string; id: string }) => ({
        status,
        source,
        draft: false,
        id,
      })),
    );
    expect(third.body.results).toMatchObject([{ status: 'updated', source: '/three' }]);
    expect((await find('/two')).body.redirect.source).toBe('/TWO');
  });

  test('writes all or none', async () => {
    const answer = await bulk([
      { source: '/whole', destination: toPage() },
      { source: '/Whole', destination: toPage() },
    ]);
    expectError(answer, 400);
    expect(detailsOf(answer)).toEqual(['body.redirects[1].source: unique']);
    expectError(await find('/whole'), 404);
    expectError(await bulk([]), 400);
  });

  test('takes 500, not 501', async () => {
    const redirects = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ source: `/many/${at}`, destination: toPage() }));
    expectError(await bulk(redirects(501)), 400);
    expect((await bulk(redirects(500))).status).toBe(200);
    expect((await call('GET', '/redirects?limit=0&search=many')).body.count).toBe(500);
  });
});
