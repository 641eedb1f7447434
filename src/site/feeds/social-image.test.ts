import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { insert } from '../../../test/content.ts';
import { aPublishedSite, HTML, type PublishedSite } from '../../../test/published-site.ts';
import { aSide, type Side } from '../../../test/world.ts';

let app: TestApp;
let side: Side;
let site: PublishedSite;
let manual: { space: string; siteSpace: string };

const pageIdOf = async (on: PublishedSite, space: string, path: string): Promise<string> =>
  (await on.contents.call('GET', `${space}/content/path/${path}`)).body.id;

/** The bytes as they are: `call` decodes text. */
const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  app.app.server.inject({ url: path, headers: { host: 'octavo.test', ...headers } });

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
  site = await aPublishedSite(app, side, { title: 'Pictures' });
  manual = await site.addSpace('Manual');
  await site.contents.edit(
    manual.space,
    insert('Welcome', 'Hello.'),
    insert('Setup', 'Install.', { slug: 'setup', description: 'How to begin' }),
    insert('Staff', 'Secret.', { slug: 'staff', condition: 'visitor.claims.staff' }),
  );
});

const imageIn = (html: string): string | undefined =>
  /<meta property="og:image" content="([^"]+)">/.exec(html)?.[1]?.replaceAll('&amp;', '&');

describe('the picture of a page', () => {
  test('is linked from its head by an absolute URL, and is an image of the declared size', async () => {
    const { text } = await site.read('/setup');
    const url = imageIn(text) ?? '';
    expect(url).toMatch(new RegExp(`^http://octavo\\.test/${site.basename}/~octavo/og/\\w+/\\w+\\.png\\?v=`));
    expect(text).toContain('<meta property="og:image:width" content="1200">');
    const image = await get(url.replace('http://octavo.test', ''));
    expect([image.statusCode, image.headers['content-type']]).toEqual([200, 'image/png']);
    expect(image.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(image.headers['content-encoding']).toBeUndefined();
    const { format, width, height } = await sharp(image.rawPayload).metadata();
    expect([format, width, height]).toEqual(['png', 1200, 630]);
    const again = await get(url.replace('http://octavo.test', ''), {
      'if-none-match': String(image.headers['etag']),
    });
    expect(again.statusCode).toBe(304);
  });

  test('is found by the page alone, and has another address when the title changes', async () => {
    const id = await pageIdOf(site, manual.space, 'setup');
    const before = await get(`/${site.basename}/~octavo/og/${id}.png`);
    expect(before.headers['cache-control']).toBe('public, max-age=0, must-revalidate');
    const url = imageIn((await site.read('/setup')).text);
    await site.contents.edit(manual.space, { operation: 'update_page', page: id, title: 'Set up quickly' });
    expect(imageIn((await site.read('/setup')).text)).not.toBe(url);
    const after = await get(`/${site.basename}/~octavo/og/${id}.png`);
    expect(after.rawPayload.equals(before.rawPayload)).toBe(false);
  });

  test('does not exist for pages that the visitor may not read, and for no other ids', async () => {
    const hidden = await pageIdOf(site, manual.space, 'staff');
    const open = await pageIdOf(site, manual.space, 'welcome');
    const other = await aPublishedSite(app, side, { title: 'Other' });
    const { space, siteSpace } = await other.addSpace('Own');
    await other.contents.edit(space, insert('Welcome', 'Hello.'), insert('Plans', 'Soon.'));
    const foreign = await pageIdOf(other, space, 'plans');
    const names = [
      hidden,
      `${manual.siteSpace}/${hidden}`,
      foreign,
      `${siteSpace}/${foreign}`,
      `${siteSpace}/${open}`,
      'none',
      '__proto__',
      '..%2f..',
      'x'.repeat(500),
    ];
    for (const name of names) {
      const { statusCode } = await get(`/${site.basename}/~octavo/og/${name}.png`, HTML);
      expect(statusCode, name.slice(0, 50)).toBe(404);
    }
    expect((await get(`/${site.basename}/~octavo/og/${open}.png`)).statusCode).toBe(200);
  });

  test('waits for its turn; a client that finds the queue of the organization full is asked to come back', async () => {
    const { drawings } = app.app.context.caches.sites;
    const id = await pageIdOf(site, manual.space, 'setup');
    // A new version of the site: its pictures are not cached.
    await site.change('PATCH', site.site, { title: 'Other pictures' });
    const releases: (() => void)[] = [];
    const taken = Array.from({ length: 21 }, async () => {
      releases.push(await drawings.acquire(side.organizationId, new AbortController().signal));
    });
    const path = `/${site.basename}/~octavo/og/${id}.png`;
    const many = await Promise.all(Array.from({ length: 30 }, () => get(path)));
    expect(many.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 30 }, () => 503));
    expect(many[0]?.headers['retry-after']).toBeDefined();
    // Pages do not wait for pictures.
    expect((await site.read('/setup')).status).toBe(200);

    const foreign = await aPublishedSite(app, await aSide(app, 'beta'), { title: 'Foreign' });
    const { space } = await foreign.addSpace('Manual');
    await foreign.contents.edit(space, insert('Setup', 'Install.'), insert('More', 'Text.'));
    const foreignId = await pageIdOf(foreign, space, 'more');
    const isDrawn = new AbortController();
    const picture = get(`/${foreign.basename}/~octavo/og/${foreignId}.png`).finally(() => isDrawn.abort());
    let released = 0;
    const release = async (ms: number) => {
      await delay(ms);
      const next = releases.shift();
      next?.();
      released += next ? 1 : 0;
    };
    while (!isDrawn.signal.aborted) await release(100);
    expect((await picture).statusCode).toBe(200);
    expect(released).toBeLessThan(taken.length);
    while (released < taken.length) await release(1);
    await Promise.all(taken);
    expect((await get(path)).statusCode).toBe(200);
  });

  test('is for readers only where the site has readers only', async () => {
    const closed = await aPublishedSite(app, side, { title: 'Closed' });
    const { space } = await closed.addSpace('Own');
    await closed.contents.edit(space, insert('Welcome', 'Hello.'));
    const id = await pageIdOf(closed, space, 'welcome');
    const path = `/${closed.basename}/~octavo/og/${id}.png`;
    expect((await get(path)).statusCode).toBe(200);
    await closed.change('PATCH', closed.site, { visibility: 'share-link' });
    expect((await get(path)).statusCode).toBe(403);
    const link = await closed.change('POST', `${closed.site}/share-links`, { name: 'Partners' });
    const opened = await get(new URL(link.urls.published).pathname);
    const cookie = String(opened.headers['set-cookie']).split(';', 1)[0] ?? '';
    const image = await get(path, { cookie });
    expect([image.statusCode, image.headers['cache-control']]).toEqual([200, 'private, no-cache']);
    expect(imageIn((await closed.read('/', { cookie })).text)).toBeUndefined();
    await closed.change('PATCH', closed.site, { visibility: 'visitor-auth' });
    expect((await get(path)).statusCode).toBe(403);
    await closed.change('POST', `${closed.site}/unpublish`);
    expect((await get(path)).statusCode).toBe(404);
  });
});
