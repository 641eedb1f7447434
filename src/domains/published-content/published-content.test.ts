import { SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { insert } from '../../../test/content.ts';
import { aPublishedSite, idIn, type PublishedSite } from '../../../test/published-site.ts';
import { expectError } from '../../../test/refusal.ts';
import { aSide, type Side } from '../../../test/world.ts';

let app: TestApp;
let side: Side;
let stranger: Side;
let site: PublishedSite;
let manual: { space: string; siteSpace: string };
let base: string;

const resolve = (url: string, body: object = {}, token = side.admin.token) =>
  app.call('POST', '/v1/urls/published', { token, body: { url, ...body } });

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
  stranger = await aSide(app, 'beta');
  site = await aPublishedSite(app, side, { title: 'Resolved' });
  base = `http://octavo.test/${site.basename}`;
  manual = await site.addSpace('Manual');
  await site.contents.edit(
    manual.space,
    insert('Welcome', 'Hello.'),
    insert('Setup', 'Install.', { slug: 'setup' }),
    insert('Staff', 'Secret.', { slug: 'staff', condition: 'visitor.claims.staff' }),
  );
});

describe('the URL of published content', () => {
  test('is resolved to its place, with a token that reads', async () => {
    const { status, body } = await resolve(`${base}/setup?x=1`);
    expect(status).toBe(200);
    const { apiToken, ...rest } = body;
    expect(rest).toEqual({
      site: site.id,
      siteSpace: manual.siteSpace,
      space: idIn(manual.space),
      pathname: '/setup',
      basePath: `/${site.basename}/`,
      siteBasePath: `/${site.basename}/`,
      organization: side.organizationId,
      complete: true,
      canonicalUrl: `${base}/setup`,
    });
    expect((await app.call('GET', manual.space, { token: apiToken })).status).toBe(200);
  });

  test('is the same with and without a slash at its end, which programs remove', async () => {
    const { body } = await resolve(base);
    expect(body).toMatchObject({ space: idIn(manual.space), pathname: '/', complete: true });
    expect((await resolve(`${base}/`)).body).toEqual(body);
    const slashed = await resolve(`${base}/setup/`);
    expect(slashed.body).toMatchObject({ pathname: '/setup', canonicalUrl: `${base}/setup` });
  });

  test('is resolved for anyone, as for a user', async () => {
    const anonymous = await app.call('POST', '/v1/urls/published', { body: { url: `${base}/setup` } });
    expect(anonymous.status).toBe(200);
    expect(anonymous.body).toEqual((await resolve(`${base}/setup`)).body);
  });

  test('is resolved alike by the deprecated form', async () => {
    const get = await app.call('GET', '/v1/urls/published', {
      token: side.admin.token,
      query: { url: `${base}/setup` },
    });
    const post = await resolve(`${base}/setup`);
    expect(get.body).toEqual(post.body);
  });

  test('of a page that does not exist or is hidden leads to its space, and says nothing of the page', async () => {
    const missing = await resolve(`${base}/nothing`);
    const hidden = await resolve(`${base}/staff`);
    expect(missing.status).toBe(200);
    expect({ ...hidden.body, pathname: '/nothing' }).toEqual(missing.body);
  });

  test('of other spellings and moved pages is a redirect on the same host', async () => {
    const { body } = await resolve(`${base}/welcome?a=b`);
    expect(body).toEqual({ target: 'content', redirect: `${base}/?a=b` });
  });

  test('has sections and variants', async () => {
    const many = await aPublishedSite(app, side, { title: 'Many' });
    const path = `/v1/orgs/${side.organizationId}/spaces`;
    const newSpace = async (title: string) =>
      (await many.change('POST', path, { title, editMode: 'live' })).id as string;
    const [one, two, other] = [await newSpace('One'), await newSpace('Two'), await newSpace('Other')];
    const first = await many.change('POST', `${many.site}/sections`, { spaceId: one, title: 'First' });
    const second = await many.change('POST', `${many.site}/sections`, { spaceId: two, title: 'Second' });
    await many.change('POST', `${many.site}/site-spaces`, { spaceId: other, sectionId: second.id });
    for (const space of [one, two, other])
      await many.contents.edit(`/v1/spaces/${space}`, insert('Welcome', 'Hello.'), insert('Page', 'Text.'));
    const at = async (below: string) => (await resolve(`http://octavo.test/${many.basename}${below}`)).body;
    expect(await at('/')).toMatchObject({ siteSection: first.id, space: one, complete: false });
    expect(await at('/second/')).toMatchObject({ siteSection: second.id, space: two, complete: false });
    expect(await at('/second/other/')).toMatchObject({
      space: other,
      basePath: `/${many.basename}/second/other/`,
      siteBasePath: `/${many.basename}/`,
      pathname: '/',
      complete: true,
    });
    expect(await at('/second/page')).toMatchObject({ space: two, pathname: '/page', complete: true });
  });

  test('of another host, scheme or form is refused', async () => {
    const others = [
      'https://unknown.example/',
      `${base.replace('octavo.test', 'other.example')}/setup`,
      'http://octavo.test/no-such-site/',
      'http://octavo.test/~octavo/',
      'http://octavo.test/%00/',
      `${base}/%ff%fe`,
    ];
    for (const url of others) expect((await resolve(url)).status, url).toBe(404);
    for (const url of ['', 'setup', '/setup', 'ftp://octavo.test/x', 'javascript:alert(1)', 'x'.repeat(3000)])
      expect((await resolve(url)).status, url.slice(0, 30)).toBe(400);
    expect((await resolve(base, {}, 'ov_nobody')).status).toBe(401);
  });
});

describe('hosts and bodies', () => {
  test('a site is found at its hostname, and at no other', async () => {
    const hosted = await aPublishedSite(app, side, { title: 'Hosted' });
    const { space } = await hosted.addSpace('Manual');
    await hosted.contents.edit(space, insert('Welcome', 'Hello.'), insert('Setup', 'Install.'));
    await app.sql('update sites set hostname = $1 where id = $2', ['docs.hosted.example', hosted.id]);
    const { body } = await resolve('https://user:secret@DOCS.hosted.example:8443/setup');
    expect(body).toMatchObject({
      site: hosted.id,
      siteBasePath: '/',
      basePath: '/',
      pathname: '/setup',
      canonicalUrl: 'https://docs.hosted.example/setup',
    });
    expect((await resolve('https://a:b@docs.hosted.example/welcome')).body.redirect).toBe(
      'https://docs.hosted.example/',
    );
    const others = [
      'https://docs.hosted.example./setup',
      'https://x.docs.hosted.example/setup',
      'http://[::1]/setup',
    ];
    for (const url of others) expect((await resolve(url)).status, url).toBe(404);
    for (const url of ['http://octavo.test:99999/', 'http://', 'http://a b/', '//octavo.test/'])
      expect((await resolve(url)).status, url).toBe(400);
  });

  test('large and deep bodies are refused, or their claims ignored', async () => {
    const large = { visitor: { unsignedClaims: { x: 'x'.repeat(2 * 1024 * 1024) } } };
    expect((await resolve(`${base}/setup`, large)).status).toBe(413);
    const deep = `{"url":"${base}/setup","visitor":{"unsignedClaims":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}}}`;
    const refused = await app.call('POST', '/v1/urls/published', {
      token: side.admin.token,
      raw: deep,
      headers: { 'content-type': 'application/json' },
    });
    expect(refused.status).toBe(400);
    const many = { visitor: { unsignedClaims: { staff: true, x: 'x'.repeat(10_000) } } };
    expect((await resolve(`${base}/setup`, many)).status).toBe(200);
    for (const visitor of [1, [], { jwtToken: 1 }, { jwtToken: 'x'.repeat(9000) }, { unsignedClaims: [] }])
      expect((await resolve(`${base}/setup`, { visitor })).status, JSON.stringify(visitor).slice(0, 40)).toBe(
        400,
      );
  });
});

describe('who may read', () => {
  test('a site that is not published is not found', async () => {
    const draft = await aPublishedSite(app, side, { title: 'Draft' });
    await draft.addSpace('Plans');
    await draft.change('POST', `${draft.site}/unpublish`);
    expect((await resolve(`http://octavo.test/${draft.basename}/`)).status).toBe(404);
    expect((await app.call('GET', `${draft.site}/published`, { token: side.admin.token })).status).toBe(404);
  });

  test('a share link opens its site until it is closed', async () => {
    const shared = await aPublishedSite(app, side, { title: 'Shared', visibility: 'share-link' });
    const { space } = await shared.addSpace('Plans');
    await shared.contents.edit(space, insert('Welcome', 'Hello.'), insert('Roadmap', 'Soon.'));
    const link = await shared.change('POST', `${shared.site}/share-links`, { name: 'Partners' });
    const url = new URL(link.urls.published);
    const key = url.pathname.split('/').findLast(Boolean) ?? '';
    const root = `http://octavo.test/${shared.basename}`;
    expect((await resolve(`${root}/roadmap`)).status).toBe(404);
    expect((await resolve(`${root}/${key}x/roadmap`)).status).toBe(404);
    const { body } = await resolve(`${root}/${key}/roadmap`);
    expect(body).toMatchObject({
      shareKey: key,
      siteBasePath: `/${shared.basename}/${key}/`,
      pathname: '/roadmap',
      canonicalUrl: `${root}/roadmap`,
    });
    expect((await resolve(`${root}/${key}/welcome`)).body.redirect).toBe(`${root}/${key}/`);
    await shared.change('PATCH', `${shared.site}/share-links/${link.id}`, { active: false });
    expect((await resolve(`${root}/${key}/roadmap`)).status).toBe(404);
  });

  test('visitors sign in with a JWT of the site', async () => {
    const closed = await aPublishedSite(app, side, { title: 'Closed', visibility: 'visitor-auth' });
    const { space } = await closed.addSpace('Inside');
    await closed.contents.edit(
      space,
      insert('Welcome', 'Hello.'),
      insert('Staff', 'Secret.', { slug: 'staff', condition: 'visitor.claims.staff' }),
    );
    const auth = await closed.change('PATCH', `${closed.site}/publishing/auth`, {
      backend: 'custom',
      fallbackURL: 'https://login.example/start',
    });
    const root = `http://octavo.test/${closed.basename}`;
    const sign = (claims: object, expires: string, key = auth.privateKey) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'HS256' })
        .setExpirationTime(expires)
        .sign(new TextEncoder().encode(key));
    const withToken = async (jwtToken: string, path = '/') => resolve(root + path, { visitor: { jwtToken } });
    const signIn = { target: 'external', redirect: 'https://login.example/start?location=%2F' };
    for (const redirectOnError of [false, true])
      expect((await resolve(`${root}/`, { redirectOnError })).body).toEqual(signIn);
    const stale = { visitor: { jwtToken: await sign({}, '-1m') } };
    expect((await resolve(`${root}/`, { ...stale, redirectOnError: true })).body).toEqual(signIn);
    expect((await withToken(await sign({}, '-1m'))).status).toBe(404);
    expect((await withToken(await sign({}, '1h', 'the key of another site'))).status).toBe(404);
    expect((await withToken('x.y.z')).status).toBe(404);
    const plain = await withToken(await sign({}, '1h'));
    expect(plain.body).toMatchObject({ space: idIn(space), pathname: '/' });
    const staff = await withToken(await sign({ staff: true }, '1h'), '/staff');
    expect(staff.body.canonicalUrl).toBe(`${root}/staff`);
    expect(staff.body.contextId).not.toBe(plain.body.contextId);
    const others = await withToken(await sign({}, '1h'), '/staff');
    expect(others.body.canonicalUrl).toBe(`${root}/`);
  });

  test('previews are resolved for those who may view them', async () => {
    const request = await site.change('POST', `${manual.space}/change-requests`, { subject: 'Draft' });
    const url = `${base}/~/changes/${request.number}/setup`;
    expect((await resolve(url)).body).toMatchObject({
      changeRequest: request.id,
      basePath: `/${site.basename}/~/changes/${request.number}/`,
      siteBasePath: `/${site.basename}/`,
      pathname: '/setup',
    });
    // Readers of the preview would find it: it reads what is published.
    const { apiToken } = (await resolve(url)).body;
    expect((await app.call('GET', manual.space, { token: apiToken })).status).toBe(200);
    const draft = `${manual.space}/change-requests/${request.id}`;
    expect((await app.call('GET', draft, { token: apiToken })).status).toBe(403);
    expect((await resolve(url, {}, stranger.admin.token)).status).toBe(404);
    expect((await app.call('POST', '/v1/urls/published', { body: { url } })).status).toBe(404);
    expect((await resolve(`${base}/~/changes/999/setup`)).status).toBe(404);
  });
});

describe('the content at a URL', () => {
  const at = (url: string, token = side.admin.token) =>
    app.call('GET', '/v1/urls/content', { token, query: { url } });

  test('of an object of the API, and of a published page', async () => {
    const page = await site.contents.call('GET', `${manual.space}/content/path/setup`);
    const space = await site.contents.call('GET', manual.space);
    const request = await site.change('POST', `${manual.space}/change-requests`, { subject: 'Draft' });
    const byApp = await at(page.body.urls.app);
    expect(byApp.body).toMatchObject({
      space: { id: space.body.id },
      page: { id: page.body.id, title: 'Setup' },
    });
    expect((await at(`${base}/setup`)).body).toEqual(byApp.body);
    expect((await at(space.body.urls.app)).body).toEqual({ space: byApp.body.space });
    expect((await at(request.urls.app)).body.changeRequest.id).toBe(request.id);
    const collection = await site.change('POST', `/v1/orgs/${side.organizationId}/collections`, {
      title: 'C',
    });
    expect((await at(collection.urls.app)).body.collection.id).toBe(collection.id);
    for (const url of [
      page.body.urls.app,
      `${base}/setup`,
      space.body.urls.app,
      request.urls.app,
      collection.urls.app,
    ])
      expect((await at(url, stranger.admin.token)).status, url).toBe(404);
  });

  test('is nowhere else', async () => {
    const space = idIn(manual.space);
    const others = [
      '/',
      '/app/spaces/none',
      `/app/spaces/${space}/pages/none`,
      `/app/spaces/${space}/change-requests/none`,
    ];
    for (const path of [...others, '/app/collections/none', `/${site.basename}/none`])
      expect((await at(`http://octavo.test${path}`)).status, path).toBe(404);
    expect((await at('nothing')).status).toBe(400);
  });
});

describe('a published site', () => {
  test('has its structure and its settings', async () => {
    const overridden = { styling: { corners: 'straight' } };
    await site.change('PATCH', `${site.site}/site-spaces/${manual.siteSpace}/customization`, overridden);
    const { status, body } = await app.call('GET', `${site.site}/published`, { token: side.admin.token });
    expect(status).toBe(200);
    expect(body.site.id).toBe(site.id);
    expect(body.structure.structure.map((item: { id: string }) => item.id)).toEqual([manual.siteSpace]);
    expect(body.customizations.siteSpaces[manual.siteSpace].styling.corners).toBe('straight');
    expect(body.customizations.site.styling.corners).not.toBe('straight');
    expect(body.scripts).toEqual([]);
    expect((await app.call('GET', `${site.site}/published`, { token: stranger.admin.token })).status).toBe(
      404,
    );
  });

  test('whose site spaces have too many settings is refused', async () => {
    await site.change('PATCH', `${site.site}/site-spaces/${manual.siteSpace}/customization`, {
      title: 'Own',
    });
    // Stored before the settings of a site space had a limit.
    await app.sql(
      `update site_space_customizations
       set settings = jsonb_build_object('footer', jsonb_build_object('copyright', repeat('x', 17000000)))
       where site_space_id = $1`,
      [manual.siteSpace],
    );
    const answer = await app.call('GET', `${site.site}/published`, { token: side.admin.token });
    expectError(answer, 413, /exceed 16 MB.*one by one/);
  });
});
