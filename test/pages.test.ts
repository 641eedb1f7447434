import { beforeAll, describe, expect, test } from 'vitest';
import { conflict } from '../src/platform/api/errors.ts';
import { STRICT_POLICY } from '../src/platform/api/content-security-policy.ts';
import { homePage } from '../src/domains/system/web-page.ts';
import { page, type PageLimit } from '../src/platform/http/pages/page.ts';
import { startApp, type TestApp } from './app.ts';

/** Pages that declare their own host, visitor, policy, limits and caching, beside those of the service. */

type Visitor = { readonly kind: 'anonymous' } | { readonly kind: 'reader'; readonly name: string };

const perSite: PageLimit = { name: 'site', perMinute: 3, key: ({ host, address }) => `${host} ${address}` };

const sitePage = page<Visitor>({
  method: 'GET',
  path: '/*',
  host: 'site',
  limit: perSite,
  contentSecurityPolicy: { ...STRICT_POLICY, 'script-src': ["'self'"] },
  cacheControl: 'public, max-age=60',
  identify: async ({ cookies }) => {
    const name = cookies.get('reader');
    return name === undefined ? { kind: 'anonymous' } : { kind: 'reader', name };
  },
  handle: async ({ host, params, query, visitor }) => ({
    status: 200,
    etag: '"v1"',
    type: 'text/plain; charset=utf-8',
    body: [host, params['*'], query.get('q'), visitor.kind === 'reader' ? visitor.name : '-'].join(' '),
  }),
});

const servicePage = page({
  method: 'GET',
  path: '/welcome',
  host: 'service',
  handle: async () => ({ status: 200, body: 'service' }),
});

const refusingPage = page({
  method: 'GET',
  path: '/refused',
  handle: async () => {
    throw conflict('Not now.');
  },
});

const STRICT =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

let app: TestApp;

beforeAll(async () => {
  app = await startApp({
    pages: [homePage, sitePage, servicePage, refusingPage],
    environment: { OCTAVO_URL: 'https://docs.example.org', OCTAVO_RATE_LIMIT: '6000' },
  });
});

const get = (path: string, host: string, headers: Record<string, string> = {}) =>
  app.call('GET', path, { headers: { host, ...headers } });

describe('the host of a page', () => {
  test('is that of the service, or any other', async () => {
    expect((await get('/welcome', 'docs.example.org')).text).toBe('service');
    expect((await get('/welcome', 'DOCS.example.org:8443')).text).toBe('service');
    expect((await get('/welcome', 'a.example.net')).text).toBe('a.example.net welcome  -');
    expect((await get('/deep/path?q=1', 'B.example.net:8080')).text).toBe('b.example.net deep/path 1 -');
  });

  test.each(['localhost:3000', '127.0.0.1', '[::1]:3000', 'octavo:3000'])(
    '%s belongs to the service',
    async (host) => {
      expect((await get('/welcome', host)).text).toBe('service');
      expect((await get('/elsewhere', host)).status).toBe(404);
    },
  );

  test('is optional: a page without one is served at every host', async () => {
    expect((await get('/avatars/1-A.svg', 'c.example.net')).headers['content-type']).toContain('svg');
    expect((await get('/', 'docs.example.org')).text).toContain('Octavo is running');
  });
});

describe('a page with declared options', () => {
  test('has its own policy and caching; other pages keep the strict ones', async () => {
    const site = await get('/policy', 'd.example.net');
    expect(site.headers['content-security-policy']).toBe(`${STRICT}; script-src 'self'`);
    expect(site.headers['cache-control']).toBe('public, max-age=60');
    const own = await get('/welcome', 'docs.example.org');
    expect(own.headers['content-security-policy']).toBe(STRICT);
    expect(own.headers['cache-control']).toBe('no-store');
  });

  test('returns the common error format when it refuses', async () => {
    const { status, headers, body } = await get('/refused', 'docs.example.org');
    expect([status, body]).toEqual([409, { error: { code: 409, message: 'Not now.' } }]);
    expect(headers['content-security-policy']).toBeUndefined();
    expect(headers['cache-control']).toBe('no-store');
  });

  test('returns 304 for a current ETag', async () => {
    const cached = await get('/cached', 'e.example.net', { 'if-none-match': 'W/"v1"' });
    expect(cached.status).toBe(304);
    expect(cached.text).toBe('');
    expect(cached.headers['etag']).toBe('"v1"');
    expect(cached.headers['cache-control']).toBe('public, max-age=60');
  });

  test('identifies its visitor', async () => {
    const cookie = 'other=1; reader=Ada%20L; reader=second; broken; =x';
    expect((await get('/v', 'f.example.net', { cookie })).text).toBe('f.example.net v  Ada L');
    expect((await get('/v', 'f.example.net', { cookie: 'reader=%E0%A4%A' })).text).toContain('%E0%A4%A');
  });

  test('has its own rate limit by its own key; other pages share 120 a minute by address', async () => {
    const statuses = [];
    for (const host of ['g', 'g', 'g', 'g', 'h'])
      statuses.push((await get('/limited', `${host}.example.net`)).status);
    expect(statuses).toEqual([200, 200, 200, 429, 200]);
    expect((await get('/welcome', 'docs.example.org')).headers['x-ratelimit-limit']).toBe('120');
    expect((await get('/limited', 'i.example.net')).headers['x-ratelimit-limit']).toBe('3');
  });
});
