import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { idsOf, insert } from '../../../test/content.ts';
import { aPublishedSite, HTML, type PublishedSite } from '../../../test/published-site.ts';
import { aSide } from '../../../test/world.ts';
import { policyFor } from './origin.ts';

/** Pages are rendered once for a revision, a configuration and a class of visitors. */

let app: TestApp;
let second: TestApp;
let site: PublishedSite;
let space: string;
let ids: string[];

beforeAll(async () => {
  app = await startApp();
  second = await startApp({ beside: app });
  site = await aPublishedSite(app, await aSide(app, 'alpha'), { title: 'Cached' });
  ({ space } = await site.addSpace('Manual'));
  ids = idsOf(await site.contents.edit(space, insert('Welcome', 'First words. '.repeat(100))));
});

const edit = (markdown: string) =>
  site.contents.edit(space, { operation: 'update_page', page: ids[0], document: { markdown } });

const raw = (headers: Record<string, string>) =>
  app.app.server.inject({ method: 'GET', url: `/${site.basename}/`, headers: { ...HTML, ...headers } });

describe('the text for language models', () => {
  test('is made once and sent once, however often it is asked for', async () => {
    const first = await site.read('/llms-full.txt');
    expect(first.text).toContain('First words.');
    const again = await site.read('/llms-full.txt', { 'if-none-match': String(first.headers['etag']) });
    expect([again.status, again.text]).toEqual([304, '']);
    const connect = vi.spyOn(app.app.installation.connection.pool, 'connect');
    try {
      expect((await site.read('/llms-full.txt')).text).toBe(first.text);
      expect(connect.mock.calls.length).toBe(0);
    } finally {
      connect.mockRestore();
    }
  });

  test('shows an edit to the next reader', async () => {
    await site.read('/llms-full.txt');
    await edit('Newer words.');
    expect((await site.read('/llms-full.txt')).text).toContain('Newer words.');
    await edit('First words. '.repeat(100));
  });
});

describe('a page', () => {
  test('is compressed as the client accepts', async () => {
    const [plain, brotli, gzip, preferred, none] = await Promise.all([
      raw({}),
      raw({ 'accept-encoding': 'gzip, deflate, br' }),
      raw({ 'accept-encoding': 'gzip;q=1, br;q=0' }),
      raw({ 'accept-encoding': 'br;q=0.1, gzip;q=1' }),
      raw({ 'accept-encoding': 'identity' }),
    ]);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(preferred.headers['content-encoding']).toBe('gzip');
    expect(none.headers['content-encoding']).toBeUndefined();
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.body);
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body);
    expect(plain.headers['vary']).toContain('Accept-Encoding');
    expect(plain.headers['cache-control']).toBe('public, max-age=0, must-revalidate');
  });

  test('is not sent again while it is the same', async () => {
    const { headers } = await site.read('/');
    const again = await site.read('/', { 'if-none-match': String(headers['etag']) });
    expect([again.status, again.text]).toEqual([304, '']);
    await edit('Other words.');
    const changed = await site.read('/', { 'if-none-match': String(headers['etag']) });
    expect(changed.status).toBe(200);
    expect(changed.text).toContain('Other words.');
  });

  test('needs no statement of the database when it is warm', async () => {
    await site.read('/');
    const { pool } = app.app.installation.connection;
    const query = vi.spyOn(pool, 'connect');
    const direct = vi.spyOn(pool, 'query');
    try {
      for (let count = 0; count < 5; count++) expect((await site.read('/')).status).toBe(200);
      expect([query.mock.calls.length, direct.mock.calls.length]).toEqual([0, 0]);
      await site.read('/nothing');
      expect(query.mock.calls.length).toBeGreaterThan(0);
    } finally {
      query.mockRestore();
      direct.mockRestore();
    }
  });

  test('shows a new revision at once here, and at once elsewhere when the change is heard', async () => {
    const read = async (on: TestApp) => (await on.call('GET', `/${site.basename}/`, { headers: HTML })).text;
    for (let round = 0; round < 3; round++) {
      expect(await read(second)).toContain('<article');
      await edit(`Round ${round}.`);
      expect(await read(app)).toContain(`Round ${round}.`);
      await expect.poll(() => read(second)).toContain(`Round ${round}.`);
    }
  });

  test('follows the settings of the site', async () => {
    expect((await site.read('/')).text).not.toContain('Renamed site');
    await site.change('PATCH', site.site, { title: 'Renamed site' });
    expect((await site.read('/')).text).toContain('Renamed site');
    await site.change('PUT', `${site.site}/customization`, {
      announcement: { enabled: true, message: 'We are moving', style: 'info' },
      header: {
        links: [{ title: 'Elsewhere', to: { kind: 'url', url: 'https://elsewhere.example/' }, links: [] }],
      },
    });
    const { text } = await site.read('/');
    expect(text).toContain('We are moving');
    expect(text).toContain('href="https://elsewhere.example/"');
  });
});

describe('the policy of a page', () => {
  test('names the host of the request, and hashes of what is inline', async () => {
    const policyAt = async (host: string) =>
      String((await site.read('/', { host })).headers['content-security-policy']);
    const policy = await policyAt('localhost:3000');
    expect(policy).toContain(`script-src localhost:3000/${site.basename}/~octavo/assets/ 'sha256-`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|origin\.invalid/);
    expect(await policyAt('octavo.test')).toContain(
      `script-src octavo.test/${site.basename}/~octavo/assets/`,
    );
    expect(await policyAt('[::1]:3000')).toContain("script-src 'self' 'sha256-");
  });

  test('also names the port of the public URL if the host has none', () => {
    const policy = (host: string) =>
      policyFor('style-src origin.invalid/docs/a/', host, 'http://Docs.test:8080/docs/');
    expect(policy('docs.test')).toBe('style-src docs.test/docs/a/ docs.test:8080/docs/a/');
    expect(policy('docs.test:9090')).toBe('style-src docs.test:9090/docs/a/');
    expect(policy('own.test')).toBe('style-src own.test/docs/a/');
  });

  test('and its assets are immutable', async () => {
    const { text } = await site.read('/');
    const href = /href="([^"]*\/~octavo\/assets\/reader\.[^"]*\.css)"/.exec(text)?.[1] ?? '';
    const style = await app.call('GET', href);
    expect([style.status, style.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
    expect(style.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await app.call('GET', `/${site.basename}/~octavo/assets/..%2fmanifest.json`)).status).toBe(404);
  });
});
