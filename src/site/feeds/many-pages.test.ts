import { beforeAll, describe, expect, test, vi } from 'vitest';
import { pageRecord } from '../../../test/page-record.ts';
import { buildTree, pathOf, type ContentRecord } from '../../content-engine/tree/index.ts';
import { readablePages } from '../read/pages/readable-pages.ts';
import type { SiteRequest } from '../serve/request.ts';
import { serveLlms } from './llms.ts';
import { serveRss } from './rss.ts';
import { serveSitemap } from './sitemap.ts';

/** A site with thousands of pages that have long addresses. */

const PAGES = 7000;
const HOST = 'https://docs.example';
const MAX_KEPT = 8 * 1024 ** 2;
/** 900 characters in an address. */
const LONG_SLUG = '文'.repeat(100);

/** A page or another entry of the tree. */
const record = (id: string, fields: object): ContentRecord =>
  ({ ...pageRecord(id, { position: id }), ...fields }) as ContentRecord;

const page = vi.fn<(id: string) => string>();
let request: SiteRequest;

beforeAll(async () => {
  const tree = buildTree([
    record('one', { slug: LONG_SLUG }),
    record('two', { slug: LONG_SLUG, parent: 'one' }),
    ...Array.from({ length: PAGES }, (_each, index) =>
      record(`page${index}`, { parent: 'two', updatedAt: (index * 7919) % PAGES }),
    ),
    record('long', { slug: LONG_SLUG, parent: 'two', updatedAt: 2 * PAGES }),
    record('below-long', { parent: 'long', updatedAt: 2 * PAGES }),
  ]);
  const visitor = { claims: { signed: {}, unsigned: {} }, class: '', refusal: undefined };
  const pages = await readablePages({ isFront: false }, tree, visitor);
  page.mockImplementation(
    (id) =>
      `/${pathOf(tree, id)
        ?.split('/')
        .map((slug) => encodeURIComponent(slug))
        .join('/')}`,
  );
  const siteSpace = { id: 's', spaceId: 'space', title: 'Manual' };
  const site = {
    id: 'site',
    version: 1,
    title: 'Guides',
    visibility: 'public',
    site_spaces: [],
    customization: {},
    sectionOf: () => undefined,
  };
  request = {
    site,
    basePath: '',
    reader: { site, visitor, siteSpaces: [siteSpace], open: async () => ({ siteSpace, tree, pages }) },
    addresses: {
      basePath: '',
      root: '/',
      page: (_space: unknown, id: string) => page(id),
      markdown: (_space: unknown, id: string) => `${page(id)}.md`,
      absolute: (href: string) => HOST + href,
    },
    visit: {
      headers: { host: 'docs.example' },
      signal: new AbortController().signal,
      ctx: {
        addresses: { of: (to: string) => `http://octavo.test${to}` },
        caches: { sites: { pages: new Map(), making: new WeakMap() } },
      },
    },
  } as unknown as SiteRequest;
});

const locationsIn = (text: string) => Array.from(text.matchAll(/<loc>(.*?)<\/loc>/g), ([, loc = '']) => loc);

async function read(serving: ReturnType<typeof serveSitemap>): Promise<string> {
  const text = String((await serving)?.body);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_KEPT);
  return text;
}

describe('of a site with thousands of pages', () => {
  test('the sitemap is an index of parts that list each page once', async () => {
    const parts = locationsIn(await read(serveSitemap(request, '')));
    expect(parts).toEqual([1, 2, 3].map((part) => `${HOST}/sitemap-${part}.xml`));
    const listed: string[] = [];
    for (const part of ['1', '2', '3']) listed.push(...locationsIn(await read(serveSitemap(request, part))));
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed).toHaveLength(PAGES + 2);
    expect(Math.max(...listed.map((url) => url.length))).toBeLessThan(2048 + HOST.length);
    expect(await serveSitemap(request, '4')).toBe(undefined);
  });

  test('a part of the sitemap writes its own URLs, once', async () => {
    await serveSitemap(request, '3');
    page.mockClear();
    await serveSitemap(request, '3');
    expect(page).not.toHaveBeenCalled();
    request.visit.ctx.caches.sites.pages.clear();
    await serveSitemap(request, '3');
    expect(page).toHaveBeenCalledTimes(PAGES + 2 - 6000);
  });

  test('llms.txt ends where it says so', async () => {
    const text = await read(serveLlms(request));
    expect(text).toContain('[page10](');
    expect(text.slice(-150)).toContain(
      `This list ends here, at 8 MB. The site has more pages: ${HOST}/sitemap.xml lists all of them.\n`,
    );
  });

  test('the feed has the latest pages, and writes only their URLs', async () => {
    page.mockClear();
    const text = await read(serveRss(request, ''));
    const dates = Array.from(text.matchAll(/<pubDate>(.*?)<\/pubDate>/g), ([, date = '']) =>
      Date.parse(date),
    );
    const latest = Array.from({ length: 50 }, (_each, index) => PAGES - 1 - index);
    expect(dates).toEqual(latest.map((time) => Math.trunc(time / 1000) * 1000));
    expect(page).toHaveBeenCalledTimes(50);
  });
});
