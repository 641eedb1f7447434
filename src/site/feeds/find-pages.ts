import { sectionsIn } from '../../content-engine/document/index.ts';
import { hasConditions } from '../../content-engine/evaluation/index.ts';
import {
  composed,
  countTerms,
  matchingSections,
  occurrencesOf,
  type MatchingSection,
  type Term,
} from '../../content-engine/search/index.ts';
import { findPage, type DocumentPage } from '../../content-engine/tree/index.ts';
import { readText } from '../../domains/revisions/index.ts';
import { searchPages, type FoundPage } from '../../domains/search/index.ts';
import { ApiError } from '../../platform/api/errors.ts';
import { pauseBetweenSlices } from '../../platform/threads/slices.ts';
import type { OpenSpace } from '../read/open-space.ts';
import type { ReadContext } from '../read/published-site.ts';
import { readForVisitor } from '../read/read-document.ts';
import type { SiteReader } from '../read/site-reader.ts';

export interface PageHit {
  readonly space: OpenSpace;
  readonly page: DocumentPage;
  readonly terms: readonly Term[];
  readonly sections: readonly MatchingSection[];
}

/** Matches that are read before those that the visitor may not read are removed. */
const MATCHES = 60;
export const MAX_HITS = 20;
/** Characters of pages that are evaluated for a visitor. Further pages with conditions or expressions are left out. */
const MAX_EVALUATED = 10_000_000;

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
  const room = { characters: MAX_EVALUATED };
  // Content in the cache is read without waiting for anything.
  const pause = pauseBetweenSlices();
  for (const found of await searchPages(ctx.db, spaceIds, query, MATCHES)) {
    await pause();
    const place = places.find(({ spaceId }) => spaceId === found.spaceId);
    const hit = place && (await readableHit(reader, await reader.open(place), found, room));
    if (hit) hits.push(present(hit));
    if (hits.length === MAX_HITS) break;
  }
  return hits;
}

async function readableHit(
  reader: SiteReader,
  space: OpenSpace,
  found: FoundPage,
  room: { characters: number },
): Promise<PageHit | undefined> {
  const page = findPage(space.tree, found.pageId);
  if (page?.type !== 'document' || !space.pages.isListed(page.id)) return undefined;
  const { terms } = found;
  const text = await readText(space.load, page.document);
  const isEvaluated = hasConditions(text);
  if (isEvaluated) {
    if (text.length > room.characters) return undefined;
    room.characters -= text.length;
  }
  const sections = isEvaluated
    ? await visibleSections(reader, space, page, terms)
    : matchingSections(
        found.sections.map(({ anchor, title, body }) => ({ id: anchor ?? undefined, title, text: body })),
        terms,
      );
  const named = [page.title, page.label ?? '', page.description ?? ''].join(' ');
  // What matched is hidden from this visitor.
  if (sections.length === 0 && countTerms(occurrencesOf(composed(named), terms)) === 0) return undefined;
  return { space, page, terms, sections };
}

/** A page that is too large to be evaluated must not end the search. */
async function visibleSections(
  reader: SiteReader,
  space: OpenSpace,
  page: DocumentPage,
  terms: readonly Term[],
): Promise<MatchingSection[]> {
  try {
    return await readForVisitor(reader, space, page, {
      here: (document) => matchingSections(sectionsIn(document), terms),
      inThread: (input, work) => space.engine.run('findSections', { ...input, terms }, work),
    });
  } catch (error) {
    if (error instanceof ApiError && error.status === 413) return [];
    throw error;
  }
}
