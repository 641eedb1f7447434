import type { PageAnswer } from '../../platform/http/page.ts';
import { isIndexable } from '../serve/page-view.ts';
import type { SiteRequest } from '../serve/request.ts';
import { sitePages } from './site-pages.ts';
import { answerText, escapeXml, XML } from './text-answer.ts';

/** The most that a file may list. */
const MAX_URLS = 50_000;
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** `part` counts from 1; without one, all pages, or an index of the parts. */
export async function serveSitemap(request: SiteRequest, part: string): Promise<PageAnswer | undefined> {
  const urls = await listUrls(request);
  const parts = Math.ceil(urls.length / MAX_URLS);
  if (part !== '') {
    const number = Number(part);
    if (number < 1 || number > parts) return undefined;
    const some = urls.slice((number - 1) * MAX_URLS, number * MAX_URLS);
    return answerText(request, `sitemap ${number}`, XML, async () => urlSet(some));
  }
  return answerText(request, 'sitemap', XML, async () =>
    parts <= 1 ? urlSet(urls) : indexOf(request, parts),
  );
}

/** An element for each page. They are written here, in slices: a site may have thousands of pages with long paths. */
async function listUrls({ reader, addresses }: SiteRequest): Promise<string[]> {
  const urls: string[] = [];
  for await (const { space, page } of sitePages(reader))
    if (isIndexable(reader, page))
      urls.push(urlElement(addresses.absolute(addresses.page(space, page.id)), page.updatedAt));
  return urls;
}

function urlElement(loc: string, lastmod: number | undefined): string {
  const date = lastmod === undefined ? '' : `<lastmod>${new Date(lastmod).toISOString()}</lastmod>`;
  return `<url><loc>${escapeXml(loc)}</loc>${date}</url>\n`;
}

const urlSet = (urls: readonly string[]): string =>
  `${DECLARATION}<urlset ${NAMESPACE}>\n${urls.join('')}</urlset>\n`;

function indexOf({ addresses }: SiteRequest, parts: number): string {
  const maps = Array.from({ length: parts }, (_part, index) => {
    const loc = addresses.absolute(`${addresses.basePath}/sitemap-${index + 1}.xml`);
    return `<sitemap><loc>${escapeXml(loc)}</loc></sitemap>\n`;
  });
  return `${DECLARATION}<sitemapindex ${NAMESPACE}>\n${maps.join('')}</sitemapindex>\n`;
}
