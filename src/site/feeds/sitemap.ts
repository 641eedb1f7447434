import type { PageAnswer } from '../../platform/http/pages/page.ts';
import { isIndexable } from '../serve/view/page-view.ts';
import type { SiteRequest } from '../serve/request.ts';
import { sitePages, siteSpaces } from './site-pages.ts';
import { answerText, escapeXml, PLAIN, XML } from './text-answer.ts';

/** The URLs of one file. With paths of `MAX_PAGE_PATH`, it is not larger than the largest answer that is kept. */
const MAX_URLS = 3000;
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** `part` counts from 1; without one, all pages, or an index of the parts. */
export async function serveSitemap(request: SiteRequest, part: string): Promise<PageAnswer | undefined> {
  const parts = Math.ceil((await countIndexable(request)) / MAX_URLS);
  if (part === '' && parts > 1)
    return answerText(request, 'sitemap', XML, async () => indexOf(request, parts));
  const number = part === '' ? 1 : Number(part);
  if (part !== '' && (number < 1 || number > parts)) return undefined;
  return answerText(request, `sitemap ${number}`, XML, async (signal) =>
    urlSet(await listUrls(request, number, signal)),
  );
}

async function countIndexable({ reader, visit }: SiteRequest): Promise<number> {
  let count = 0;
  for await (const { pages } of siteSpaces(reader)) {
    visit.signal.throwIfAborted();
    for (const page of pages.documents) if (isIndexable(reader, page)) count++;
  }
  return count;
}

/** An element for each page of a part. */
async function listUrls(
  { reader, addresses }: SiteRequest,
  part: number,
  signal: AbortSignal,
): Promise<string[]> {
  const urls: string[] = [];
  let skipped = (part - 1) * MAX_URLS;
  for await (const { space, page } of sitePages(reader, signal)) {
    if (!isIndexable(reader, page) || skipped-- > 0) continue;
    urls.push(urlElement(addresses.absolute(addresses.page(space, page.id)), page.updatedAt));
    if (urls.length === MAX_URLS) break;
  }
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

/** Crawlers read it at the root of a host only; at a path it is for people. */
export const serveRobots = (request: SiteRequest): Promise<PageAnswer> =>
  answerText(request, 'robots', PLAIN, async () => {
    const { site, addresses } = request;
    if (site.visibility !== 'public') return 'User-agent: *\nDisallow: /\n';
    const sitemap = addresses.absolute(`${addresses.basePath}/sitemap.xml`);
    return `User-agent: *\nAllow: /\nDisallow: ${addresses.basePath}/~octavo/\nAllow: ${addresses.basePath}/~octavo/assets/\nAllow: ${addresses.basePath}/~octavo/file/\nSitemap: ${sitemap}\n`;
  });
