import { SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { expectError } from '../../../test/refusal.ts';
import { aSite, type TestSite } from '../../../test/site-settings.ts';
import { aWorld, grantOn, type World } from '../../../test/world.ts';
import { verifyVisitorToken } from '../visitors/index.ts';
import { findVisitorAuth, PREVIEW_PARAMETER, readPreview } from './index.ts';

let app: TestApp;
let world: World;
let site: TestSite;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  site = await aSite(app, world.a);
});

const call = (method: string, path: string, body?: unknown, token = world.a.admin.token) =>
  app.call(method, `${site.path}/publishing${path}`, { token, ...(body === undefined ? {} : { body }) });
const context = () => ({ ...app.app.context, db: app.app.installation.connection.db });

describe('publishing auth', () => {
  test('has a key of 256 bits, which stays the same', async () => {
    const answer = await call('GET', '/auth');
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual({
      object: 'publishing-auth',
      privateKey: expect.stringMatching(/^[\w-]{43}$/),
      backend: 'custom',
    });
    expect((await call('GET', '/auth')).body).toEqual(answer.body);
    const other = await aSite(app, world.a);
    const theirs = await app.call('GET', `${other.path}/publishing/auth`, { token: world.a.admin.token });
    expect(theirs.body.privateKey).not.toBe(answer.body.privateKey);
  });

  test('of concurrent first reads, all get the same key', async () => {
    const other = await aSite(app, world.a);
    const read = () => app.call('GET', `${other.path}/publishing/auth`, { token: world.a.admin.token });
    const keys = (await Promise.all(Array.from({ length: 5 }, read))).map(({ body }) => body.privateKey);
    expect(new Set(keys).size).toBe(1);
  });

  test('is stored encrypted, and opens for its own site only', async () => {
    const { body } = await call('GET', '/auth');
    const [row] = await app.sql('select * from site_publishing_auth where site_id = $1', [site.id]);
    expect(JSON.stringify(row)).not.toContain(body.privateKey);
    expect(String(row?.['key_sealed'])).not.toContain(body.privateKey);
    const other = await aSite(app, world.a);
    await app.sql('insert into site_publishing_auth (site_id, key_sealed) values ($1, $2)', [
      other.id,
      row?.['key_sealed'],
    ]);
    await expect(findVisitorAuth(context(), other.id)).rejects.toThrow('another owner');
  });

  test('a new key replaces the old one, and its tokens', async () => {
    const sign = (key: string) =>
      new SignJWT({ plan: 'pro' })
        .setProtectedHeader({ alg: 'HS256' })
        .setExpirationTime('1h')
        .sign(new TextEncoder().encode(key));
    const { privateKey: old } = (await call('GET', '/auth')).body;
    const verify = async (token: string) => {
      const auth = await findVisitorAuth(context(), site.id);
      return verifyVisitorToken(token, { key: auth?.privateKey ?? '', audience: [], now: new Date() });
    };
    const token = await sign(old);
    expect(await verify(token)).toMatchObject({ ok: true, claims: { plan: 'pro' } });
    const answer = await call('POST', '/auth/regenerate');
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.privateKey).not.toBe(old);
    expect(await verify(token)).toMatchObject({ ok: false });
    expect(await verify(await sign(answer.body.privateKey))).toMatchObject({ ok: true });
  });

  test('has a fallback URL', async () => {
    const set = await call('PATCH', '/auth', {
      backend: 'custom',
      fallbackURL: 'https://a.example/login?x=1',
    });
    expect(set.body.fallbackURL).toBe('https://a.example/login?x=1');
    expect((await call('PATCH', '/auth', { backend: 'custom' })).body.fallbackURL).toBe(
      'https://a.example/login?x=1',
    );
    expect((await findVisitorAuth(context(), site.id))?.fallbackUrl).toBe('https://a.example/login?x=1');
    expect((await call('PATCH', '/auth', { backend: 'custom', fallbackURL: null })).body).not.toHaveProperty(
      'fallbackURL',
    );
    for (const fallbackURL of [
      'javascript:alert(1)',
      '/login',
      'ftp://a.example/',
      7,
      `https://a.example/${'x'.repeat(2048)}`,
    ])
      expectError(await call('PATCH', '/auth', { backend: 'custom', fallbackURL }), 400);
    expectError(await call('PATCH', '/auth', { backend: 'other' }), 400);
    expectError(await call('PATCH', '/auth', { backend: 'integration' }), 409, /No integration/);
  });

  test('is shown to admins of the site alone', async () => {
    const reader = world.a.people.create;
    await grantOn(app, reader, 'review', [], [], [site.id]);
    expectError(await call('GET', '/auth', undefined, reader.token), 403);
    expectError(await call('POST', '/auth/regenerate', undefined, reader.token), 403);
    expectError(await call('GET', '/auth', undefined, world.a.people.edit.token), 404);
    expectError(await call('GET', '/auth', undefined, world.b.admin.token), 404);
  });
});

describe('a preview', () => {
  const tokenOf = (url: string) => new URL(url).searchParams.get(PREVIEW_PARAMETER) ?? '';

  test('is an address with the claims and the caller, for this site', async () => {
    const claims = encodeURIComponent('(plan:pro,unsigned:(beta:!t))');
    const answer = await call('GET', `/preview?claims=${claims}&siteSpace=${site.siteSpaceId}`);
    expect(answer.status, answer.text).toBe(200);
    const read = (siteId: string) =>
      readPreview(app.app.context.keys, tokenOf(answer.body.url), siteId, new Date());
    expect(read(site.id)).toEqual({
      siteId: site.id,
      userId: world.a.admin.id,
      tokenId: expect.any(String) as string,
      claims: { plan: 'pro', unsigned: { beta: true } },
    });
    expect(read('another')).toBeUndefined();
    expect(answer.body.url.length).toBeLessThanOrEqual(2048);
  });

  test('ends after an hour', async () => {
    const { body } = await call('GET', `/preview?siteSpace=${site.siteSpaceId}`);
    const readAfter = (minutes: number) =>
      readPreview(app.app.context.keys, tokenOf(body.url), site.id, new Date(Date.now() + minutes * 60_000));
    expect(readAfter(55)).toMatchObject({ userId: world.a.admin.id });
    expect(readAfter(60)).toBeUndefined();
  });

  test('leads to the section and variant of the site space', async () => {
    const { token } = world.a.admin;
    const add = (title: string) =>
      app.call('POST', `${site.path}/sections`, { token, body: { spaceId: site.spaceId, title } });
    await add('First');
    const section = await add('Second');
    expect(section.status, section.text).toBe(201);
    const [siteSpace] = section.body.siteSpaces;
    const { body } = await call('GET', `/preview?siteSpace=${siteSpace.id}`);
    expect(new URL(body.url).pathname).toMatch(new RegExp(`/${section.body.path}/$`));
  });

  test.each(['x', '(a', '!(a)', '(a:1)b'])('refuses the claims %s, with the position', async (claims) => {
    expectError(await call('GET', `/preview?claims=${encodeURIComponent(claims)}`), 400, /query\.claims/);
  });

  test('refuses a site space of another site', async () => {
    const other = await aSite(app, world.a);
    expectError(await call('GET', `/preview?siteSpace=${other.siteSpaceId}`), 404);
  });
});
