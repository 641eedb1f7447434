import type { PageAnswer } from '../../platform/http/page.ts';
import { pauseBetweenSlices } from '../../platform/threads/slices.ts';
import { isIndexable } from '../serve/page-view.ts';
import type { SiteRequest } from '../serve/request.ts';
import { sitePages, siteSpaces } from './site-pages.ts';
import { answerText, escapeXml, XML } from './text-answer.ts';

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
  return answerText(request, `sitemap ${number}`, XML, async () => urlSet(await listUrls(request, number)));
}

async function countIndexable({ reader }: SiteRequest): Promise<number> {
  const pause = pauseBetweenSlices();
  let count = 0;
  for await (const { pages } of siteSpaces(reader)) {
    await pause();
    for (const page of pages.documents) if (isIndexable(reader, page)) count++;
  }
  return count;
}

/** An element for each page of a part. */
async function listUrls({ reader, addresses }: SiteRequest, part: number): Promise<string[]> {
  const urls: string[] = [];
  let skipped = (part - 1) * MAX_URLS;
  for await (const { space, page } of sitePages(reader)) {
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
