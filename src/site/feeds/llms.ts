import type { DocumentPage } from '../../content-engine/tree/index.ts';
import { ApiError } from '../../platform/api/errors.ts';
import { requireSmall } from '../../platform/api/too-large-here.ts';
import type { PageAnswer } from '../../platform/http/pages/page.ts';
import { MAX_KEPT_BYTES } from '../read/caches.ts';
import type { OpenSpace } from '../read/pages/open-space.ts';
import type { SiteRequest } from '../serve/request.ts';
import { pageMarkdown } from './markdown.ts';
import { sitePages } from './site-pages.ts';
import { answerText, PLAIN } from './text-answer.ts';

/** Pages with `noIndex` are left out, as they are of the search. */
const isIndexed = ({ noIndex }: { readonly noIndex?: true }): boolean => noIndex !== true;

/** The limit of a text. It is cached like a page, so that it is made once for a revision and a class of visitors. */
const MAX_TEXT_BYTES = MAX_KEPT_BYTES - 4096;

/** Joins parts while there is room, then adds `end`. */
async function joinParts(parts: AsyncIterable<string>, end: string): Promise<string> {
  const joined: string[] = [];
  let bytes = 0;
  for await (const part of parts) {
    bytes += Buffer.byteLength(part);
    if (bytes > MAX_TEXT_BYTES) return [...joined, end].join('');
    joined.push(part);
  }
  return joined.join('');
}

const endOf = ({ addresses, basePath }: SiteRequest, what: string, list: string): string =>
  `This ${what} ends here, at ${MAX_KEPT_BYTES / 1024 ** 2} MB. The site has more pages: ${addresses.absolute(`${basePath}/${list}`)} lists all of them.\n`;

/** The pages of the site for language models (llmstxt.org), as many as it has room for. */
export const serveLlms = (request: SiteRequest): Promise<PageAnswer> =>
  answerText(request, 'llms', PLAIN, (signal) =>
    joinParts(listLines(request, signal), `\n${endOf(request, 'list', 'sitemap.xml')}`),
  );

async function* listLines(
  { reader, addresses, site }: SiteRequest,
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield `# ${oneLine(site.customization.title ?? site.title)}\n\n`;
  yield '> The pages of this site as Markdown, in their order. All of them as one text: llms-full.txt.\n\n';
  let heading = '';
  for await (const { space, page } of sitePages(reader, signal)) {
    if (!isIndexed(page)) continue;
    const section = site.sectionOf(space.siteSpace)?.title;
    const next = [section, space.siteSpace.title].filter(Boolean).join(' · ');
    if (next !== heading) yield `${heading === '' ? '' : '\n'}## ${oneLine(next)}\n\n`;
    heading = next;
    const url = addresses.absolute(addresses.markdown(space, page.id));
    const description = page.description ? `: ${oneLine(page.description)}` : '';
    yield `- [${oneLine(page.title).replaceAll(/[[\]]/g, '\\$&')}](${url})${description}\n`;
  }
}

/** The pages as one text, as many as it has room for. */
export const serveLlmsFull = (request: SiteRequest): Promise<PageAnswer> =>
  answerText(request, 'llms-full', PLAIN, (signal) =>
    joinParts(listTexts(request, signal), endOf(request, 'text', 'llms.txt')),
  );

async function* listTexts({ reader, addresses }: SiteRequest, signal: AbortSignal): AsyncGenerator<string> {
  let characters = 0;
  for await (const { space, page } of sitePages(reader, signal)) {
    if (!isIndexed(page)) continue;
    const text = await textOf({ reader, addresses }, space, page);
    requireSmall(space, 'text', (characters += text.length));
    yield `Source: ${addresses.absolute(addresses.page(space, page.id))}\n\n${text.trimEnd()}\n\n---\n\n`;
  }
}

/** A page that is too large must not end the text. */
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
