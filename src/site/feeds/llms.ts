import { Readable } from 'node:stream';
import type { DocumentPage } from '../../content-engine/tree/index.ts';
import { ApiError } from '../../platform/api/errors.ts';
import type { PageAnswer } from '../../platform/http/page.ts';
import { MAX_KEPT_BYTES } from '../read/caches.ts';
import type { OpenSpace } from '../read/open-space.ts';
import { cacheControlOf, headersOf, type SiteRequest } from '../serve/request.ts';
import { pageMarkdown } from './markdown.ts';
import { sitePages } from './site-pages.ts';
import { answerText, PLAIN } from './text-answer.ts';

/** Pages with `noIndex` are left out, as they are of the search. */
const isIndexed = ({ noIndex }: { readonly noIndex?: true }): boolean => noIndex !== true;

/** The pages of the site for language models (llmstxt.org). */
export const serveLlms = (request: SiteRequest): Promise<PageAnswer> =>
  answerText(request, 'llms', PLAIN, async () => {
    const { reader, addresses, site } = request;
    const lines = [`# ${oneLine(site.customizationOf(undefined).title ?? site.title)}`, ''];
    let heading = '';
    for await (const { space, page } of sitePages(reader)) {
      if (!isIndexed(page)) continue;
      const section = site.sectionOf(space.siteSpace)?.title;
      const next = [section, space.siteSpace.title].filter(Boolean).join(' · ');
      if (next !== heading) lines.push(...(heading === '' ? [] : ['']), `## ${oneLine(next)}`, '');
      heading = next;
      const url = addresses.absolute(addresses.markdown(space, page.id));
      const description = page.description ? `: ${oneLine(page.description)}` : '';
      lines.push(`- [${oneLine(page.title).replaceAll(/[[\]]/g, '\\$&')}](${url})${description}`);
    }
    return `${lines.join('\n')}\n`;
  });

/** All pages as one text: kept like a page or, if it is too large for that, written while it is read. */
export async function serveLlmsFull(request: SiteRequest): Promise<PageAnswer> {
  const { longTexts } = request.visit.ctx.caches.sites;
  try {
    if (!longTexts.has(request.site))
      return await answerText(request, 'llms-full', PLAIN, () => shortText(request));
  } catch (error) {
    if (!(error instanceof TooLong)) throw error;
    longTexts.add(request.site);
  }
  return {
    status: 200,
    type: PLAIN,
    cacheControl: cacheControlOf(request),
    headers: headersOf(request),
    body: Readable.from(fullText(request)),
  };
}

class TooLong extends Error {}

async function shortText(request: SiteRequest): Promise<string> {
  const parts: string[] = [];
  let bytes = 0;
  for await (const part of fullText(request)) {
    bytes += Buffer.byteLength(part);
    if (bytes > MAX_KEPT_BYTES) throw new TooLong();
    parts.push(part);
  }
  return parts.join('');
}

async function* fullText({ reader, addresses }: SiteRequest): AsyncGenerator<string> {
  for await (const { space, page } of sitePages(reader)) {
    if (!isIndexed(page)) continue;
    const text = await textOf({ reader, addresses }, space, page);
    yield `Source: ${addresses.absolute(addresses.page(space, page.id))}\n\n${text.trimEnd()}\n\n---\n\n`;
  }
}

/** A page that is too large must not end the text: the response has begun. */
async function textOf(
  { reader, addresses }: Pick<SiteRequest, 'reader' | 'addresses'>,
  space: OpenSpace,
  page: DocumentPage,
): Promise<string> {
  try {
    return (await pageMarkdown(reader, addresses, space, page)).text;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `# ${oneLine(page.title)}\n\n${error.message}`;
  }
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
