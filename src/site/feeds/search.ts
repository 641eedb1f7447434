import { pagesAbove } from '../../content-engine/tree/index.ts';
import { composed, occurrencesOf, type Term } from '../../content-engine/search/index.ts';
import { recordSearch } from '../../domains/insights/index.ts';
import type { PageAnswer } from '../../platform/http/pages/page.ts';
import { renderSearchPage, renderSearchResults } from '../index.ts';
import type { SearchResult, SearchScope, SearchView, TextPart } from '../model.ts';
import { answerHtml, framedView } from '../serve/answer-page.ts';
import { headersOf, type SiteRequest } from '../serve/request.ts';
import { iconOf } from '../serve/view/site-view.ts';
import { findPages, MAX_QUERY, type PageHit } from './find-pages.ts';

/** The search page, its results alone for the dialog (`fragment`), or JSON for programs. */
export async function serveSearch(request: SiteRequest): Promise<PageAnswer> {
  const { visit, reader } = request;
  const query = (visit.query.get('q') ?? '')
    // oxlint-disable-next-line no-control-regex -- no page has them
    .replaceAll(/[\u0000-\u001f\u007f]+/g, ' ')
    .trim()
    .slice(0, MAX_QUERY);
  const section = reader.sections.find(({ id }) => id === visit.query.get('section'));
  const scope = section && new Set(reader.spacesOf(section).map(({ id }) => id));
  const present = (hit: PageHit) => resultOf(request, hit);
  const results = query === '' ? [] : await findPages(visit.ctx, reader, scope, query, present, visit.signal);
  if (query !== '')
    recordSearch(
      visit.ctx.caches.insights,
      { siteId: request.site.id, query, hasResult: results.length > 0 },
      visit.ctx.now(),
    );
  const search: SearchView = {
    query,
    results,
    count: results.length,
    scopes: scopesOf(request, query, section?.id),
  };
  if (/application\/json/i.test(visit.headers['accept'] ?? '')) return answerJson(request, search);
  const { view } = await framedView(request, reader.siteSpaces[0]);
  const isFragment = visit.query.has('fragment');
  const html = isFragment ? renderSearchResults(view, search) : renderSearchPage(view, search);
  const answer = await answerHtml(request, view, html, 200);
  return { ...answer, cacheControl: 'private, no-cache' };
}

function resultOf({ addresses, site }: SiteRequest, { space, page, terms, sections }: PageHit): SearchResult {
  const href = addresses.page(space, page.id);
  const title = page.label ?? page.title;
  const section = site.sectionOf(space.siteSpace)?.title;
  return {
    title,
    href,
    icon: iconOf(page.icon, page.emoji),
    titleParts: marked(title, terms),
    path: [
      ...(section === undefined ? [] : [section]),
      ...pagesAbove(space.tree, page.id).map((above) => above.title),
    ],
    sections: sections.map((each) => ({
      href: each.anchor === undefined ? href : `${href}#${encodeURIComponent(each.anchor)}`,
      title: marked(each.title || title, terms),
      excerpt: marked(each.excerpt, terms),
    })),
  };
}

function scopesOf(
  { reader, addresses, site }: SiteRequest,
  query: string,
  current: string | undefined,
): SearchScope[] {
  const href = (section?: string) =>
    addresses.own(`search?${new URLSearchParams({ q: query, ...(section && { section }) })}`);
  const all = { title: site.title, href: href(), isCurrent: current === undefined };
  return [
    all,
    ...reader.sections.map(({ id, title }) => ({ title, href: href(id), isCurrent: id === current })),
  ];
}

/** The text in parts, with the words that match marked. */
function marked(text: string, terms: readonly Term[]): TextPart[] {
  const whole = composed(text);
  const parts: TextPart[] = [];
  let end = 0;
  for (const { at } of occurrencesOf(whole, terms).toSorted((a, b) => a.at - b.at)) {
    if (at < end) continue;
    const [word = ''] = /^[\p{L}\p{N}\p{M}_]+/u.exec(whole.slice(at)) ?? [];
    if (word === '') continue;
    if (at > end) parts.push({ text: whole.slice(end, at), isMatch: false });
    parts.push({ text: word, isMatch: true });
    end = at + word.length;
  }
  return end < whole.length || parts.length === 0
    ? [...parts, { text: whole.slice(end), isMatch: false }]
    : parts;
}

const plain = (parts: readonly TextPart[]): string => parts.map(({ text }) => text).join('');

function answerJson(request: SiteRequest, { query, count, results }: SearchView): PageAnswer {
  const { addresses } = request;
  const items = results.map(({ title, href, path, sections }) => ({
    title,
    url: addresses.absolute(href),
    path,
    sections: sections.map((each) => ({
      title: plain(each.title),
      url: addresses.absolute(each.href),
      excerpt: plain(each.excerpt),
    })),
  }));
  return {
    status: 200,
    type: 'application/json; charset=utf-8',
    cacheControl: 'private, no-cache',
    headers: headersOf(request),
    body: JSON.stringify({ query, count, items }),
  };
}
