import type { Context } from '../../../platform/api/context.ts';
import { pagesAbove, pathOf } from '../../../content-engine/tree/index.ts';
import { findPages, type PageHit } from '../../../site/feeds/find-pages.ts';
import { sectionScore } from '../../search/index.ts';
import { scopeIn, type SiteSearch } from '../../sites/index.ts';
import type { SiteVisit } from '../visit.ts';

/** Searches the site, and answers in the shape of the search of the API. */
export async function searchSite(ctx: Context, visit: SiteVisit, search: SiteSearch, signal: AbortSignal) {
  const { reader } = visit;
  const searchable = reader.siteSpaces.map((siteSpace) => ({
    site_space_id: siteSpace.id,
    section_id: siteSpace.sectionId,
    space_id: siteSpace.spaceId,
    is_default: siteSpace.isDefault,
    title: siteSpace.title,
    language: siteSpace.language,
  }));
  const searched = new Set(scopeIn(searchable, search).map((each) => each.site_space_id));
  const words = search.query.trim();
  const present = (hit: PageHit) => ({ siteSpace: hit.space.siteSpace, page: presentHit(ctx, hit) });
  const found = words === '' ? [] : await findPages(ctx, reader, searched, words, present, signal);
  const items = new Map<string, ReturnType<typeof presentSpace>>();
  for (const [index, { siteSpace, page }] of found.entries()) {
    const item = items.get(siteSpace.spaceId) ?? presentSpace(siteSpace, page.score);
    items.set(siteSpace.spaceId, item);
    item.pages.push({ ...page, rank: index + 1 });
  }
  return { count: items.size, items: [...items.values()] };
}

/** `score`: of its best page, which is found first. */
const presentSpace = ({ spaceId, title }: PageHit['space']['siteSpace'], score: number) => ({
  type: 'space' as const,
  id: spaceId,
  title,
  score,
  pages: [] as object[],
});

function presentHit({ addresses }: Context, { space, page, sections, score, terms }: PageHit) {
  const path = pathOf(space.tree, page.id) ?? '';
  const urls = { app: addresses.of(`/app/spaces/${space.siteSpace.spaceId}/pages/${page.id}`) };
  return {
    id: page.id,
    title: page.title,
    linkTitle: page.label,
    description: page.description ?? '',
    path,
    score,
    ancestors: pagesAbove(space.tree, page.id).map(({ title }) => ({ title })),
    sections: sections.map(({ anchor, title, excerpt, found }) => ({
      id: anchor ?? page.id,
      title: title || page.title,
      path: anchor === undefined ? path : `${path}#${encodeURIComponent(anchor)}`,
      score: sectionScore(score, found, terms),
      body: excerpt,
      urls,
    })),
    urls,
  };
}
