import { sectionsIn } from '../../content-engine/document/index.ts';
import {
  composed,
  countTerms,
  excerptOf,
  occurrencesOf,
  type Term,
} from '../../content-engine/search/index.ts';
import { findPage, type DocumentPage } from '../../content-engine/tree/index.ts';
import { searchPages, type FoundPage } from '../../domains/search/index.ts';
import type { OpenSpace } from '../read/open-space.ts';
import type { ReadContext } from '../read/published-site.ts';
import { dependsOnVisitor, readDocument } from '../read/read-document.ts';
import type { SiteReader } from '../read/site-reader.ts';

export interface PageHit {
  readonly space: OpenSpace;
  readonly page: DocumentPage;
  readonly terms: readonly Term[];
  readonly sections: readonly {
    readonly anchor: string | undefined;
    readonly title: string;
    readonly excerpt: string;
  }[];
}

/** Matches that are read before those that the visitor may not read are removed. */
const MATCHES = 60;
export const MAX_HITS = 20;
const SECTIONS = 3;

/**
 * The pages of a site that match, among those that the visitor may read, and by what they may read of them. Presented one
 * after another: each may be in a space of its own, whose trees need not be in memory together.
 */
export async function findPages<T>(
  ctx: ReadContext,
  reader: SiteReader,
  siteSpaceIds: ReadonlySet<string> | undefined,
  query: string,
  present: (hit: PageHit) => T,
): Promise<T[]> {
  const places = reader.siteSpaces.filter(({ id }) => siteSpaceIds?.has(id) ?? true);
  const spaceIds = [...new Set(places.map(({ spaceId }) => spaceId))];
  const hits: T[] = [];
  for (const found of await searchPages(ctx.db, spaceIds, query, MATCHES)) {
    const place = places.find(({ spaceId }) => spaceId === found.spaceId);
    const hit = place && (await readableHit(reader, await reader.open(place), found));
    if (hit) hits.push(present(hit));
    if (hits.length === MAX_HITS) break;
  }
  return hits;
}

async function readableHit(
  reader: SiteReader,
  space: OpenSpace,
  found: FoundPage,
): Promise<PageHit | undefined> {
  const page = findPage(space.tree, found.pageId);
  if (page?.type !== 'document' || !space.pages.isListed(page.id)) return undefined;
  const { terms } = found;
  const sections = (await dependsOnVisitor(space, page))
    ? await visibleSections(reader, space, page)
    : found.sections.map(({ anchor, title, body }) => ({ id: anchor ?? undefined, title, text: body }));
  const matching = sections
    .map(({ id, title, text }) => {
      const body = composed(text);
      const places = occurrencesOf(body, terms);
      const inTitle = countTerms(occurrencesOf(composed(title), terms));
      return { anchor: id, title, excerpt: excerptOf(body, places), score: countTerms(places) + inTitle };
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, SECTIONS);
  const named = [page.title, page.label ?? '', page.description ?? ''].join(' ');
  // What matched is hidden from this visitor.
  if (matching.length === 0 && countTerms(occurrencesOf(composed(named), terms)) === 0) return undefined;
  return { space, page, terms, sections: matching };
}

async function visibleSections(reader: SiteReader, space: OpenSpace, page: DocumentPage) {
  return sectionsIn(await readDocument(reader, space, page));
}
