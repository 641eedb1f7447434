import { recordSearch } from '../../../domains/insights/index.ts';
import { decodeSegment } from '../../../domains/redirects/index.ts';
import { locate } from '../../read/locate.ts';
import type { SiteRequest } from '../../serve/request.ts';
import { findPages, type PageHit } from '../find-pages.ts';
import { pageMarkdown } from '../markdown.ts';

export const MAX_URL = 2048;
/** Longer pages are cut: they would not fit into the context of a model. */
const MAX_TEXT = 200_000;

/** The pages that match, as a list in Markdown. */
export async function searchText(request: SiteRequest, query: string): Promise<string> {
  const { visit, reader, site } = request;
  const words = query
    // oxlint-disable-next-line no-control-regex -- no page has them
    .replaceAll(/[\u0000-\u001f\u007f]+/g, ' ')
    .trim();
  const present = (hit: PageHit) => hitText(request, hit);
  const hits =
    words === '' ? [] : await findPages(visit.ctx, reader, undefined, words, present, visit.signal);
  if (words !== '')
    recordSearch(
      visit.ctx.caches.insights,
      { siteId: site.id, query: words, hasResult: hits.length > 0 },
      visit.ctx.now(),
    );
  return hits.length === 0 ? 'No page matches.' : hits.join('\n');
}

function hitText({ addresses }: SiteRequest, { space, page, sections }: PageHit): string {
  const url = addresses.absolute(addresses.page(space, page.id));
  const description = page.description ? `: ${oneLine(page.description)}` : '';
  const excerpts = sections.map(
    ({ title, excerpt }) => `  - ${title ? `${oneLine(title)}: ` : ''}${oneLine(excerpt)}`,
  );
  return [`- [${oneLine(page.title)}](${url})${description}`, ...excerpts].join('\n');
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** A page as Markdown; undefined if there is none for this visitor. */
export async function pageText(request: SiteRequest, url: string): Promise<string | undefined> {
  const { visit, reader, addresses } = request;
  let path = pathOf(request, url);
  // One redirect, such as from an old address to the present one.
  for (let tries = 0; tries < 2 && path !== undefined; tries++) {
    const located = await locate(visit.ctx, reader, addresses, path);
    if (located.kind === 'missing') return undefined;
    if (located.kind === 'page') {
      const { text } = await pageMarkdown(reader, addresses, located.space, located.page);
      return text.length <= MAX_TEXT
        ? text
        : `${text.slice(0, MAX_TEXT)}\n\n[The page is longer. This is its beginning.]`;
    }
    path = located.href.slice(addresses.basePath.length);
  }
  return undefined;
}

/** The path below the site. */
function pathOf({ addresses }: SiteRequest, url: string): string | undefined {
  const root = addresses.absolute(addresses.root);
  const [withoutQuery = ''] = url.trim().split(/[?#]/, 1);
  if (`${withoutQuery}/` === root) return '/';
  if (withoutQuery.startsWith(root)) return `/${withoutQuery.slice(root.length)}`;
  if (
    /^[a-z][a-z0-9+.-]*:/i.test(withoutQuery) ||
    decodeSegment(withoutQuery.replaceAll('/', '')) === undefined
  )
    return undefined;
  const path = `/${withoutQuery.replace(/^\/+/, '')}`;
  return path.startsWith(`${addresses.basePath}/`) ? path.slice(addresses.basePath.length) : path;
}
