import { sectionsIn } from '../../content-engine/document/index.ts';
import { hasConditions } from '../../content-engine/evaluation/index.ts';
import {
  matchingSections,
  matchText,
  type MatchingSection,
  type Term,
  type TextMatch,
} from '../../content-engine/search/index.ts';
import { findPage, type DocumentPage } from '../../content-engine/tree/index.ts';
import { readText } from '../../domains/content-store/index.ts';
import { searchPages, type FoundPage } from '../../domains/search/index.ts';
import { ApiError } from '../../platform/api/errors.ts';
import { requireSmall } from '../../platform/api/too-large-here.ts';
import type { OpenSpace } from '../read/pages/open-space.ts';
import type { ReadContext } from '../read/published-site.ts';
import { readForVisitor } from '../read/pages/read-document.ts';
import type { SiteReader } from '../read/site-reader.ts';

export interface PageHit {
  readonly space: OpenSpace;
  readonly page: DocumentPage;
  readonly terms: readonly Term[];
  readonly score: number;
  readonly sections: readonly MatchingSection[];
}

/** Characters of a query, as in the search of the API. */
export const MAX_QUERY = 512;
const MAX_HITS = 20;
/** Characters of pages that are evaluated for a visitor. Further pages with conditions or expressions are left out. */
const MAX_EVALUATED = 10_000_000;

/**
 * The pages of a site that match by what the visitor may read of them, and no others: not even their number decides which
 * words may be missing, how they are corrected, or the order. Presented one after another: each may be in a space of its
 * own, whose trees need not be in memory together.
 */
export async function findPages<T>(
  ctx: ReadContext,
  reader: SiteReader,
  siteSpaceIds: ReadonlySet<string> | undefined,
  query: string,
  present: (hit: PageHit) => T,
  signal: AbortSignal,
): Promise<readonly T[]> {
  const places = reader.siteSpaces.filter(({ id }) => siteSpaceIds?.has(id) ?? true);
  const open = (spaceId: string) => {
    const place = places.find((each) => each.spaceId === spaceId);
    return place && reader.open(place);
  };
  const room = { characters: MAX_EVALUATED };
  return searchPages(ctx, {
    spaceIds: [...new Set(places.map(({ spaceId }) => spaceId))],
    query,
    limit: MAX_HITS,
    findableIn: async (spaceId) => {
      const pages = (await open(spaceId))?.pages;
      return pages?.listsAll ? undefined : (pageId) => pages?.isListed(pageId) ?? false;
    },
    read: async (found) => {
      signal.throwIfAborted();
      const space = await open(found.spaceId);
      const page = space && findPage(space.tree, found.pageId);
      if (page?.type !== 'document' || !space?.pages.isListed(page.id)) return undefined;
      const match = await matchOf(reader, space, page, found, room);
      const { terms } = found.sought;
      return match && { score: match.score, hit: present({ space, page, terms, ...match }) };
    },
  });
}

/** How a page matches by what the visitor may read of it: the index contains all of it. */
async function matchOf(
  reader: SiteReader,
  space: OpenSpace,
  page: DocumentPage,
  { score, sought, sections }: FoundPage,
  room: { characters: number },
): Promise<TextMatch | undefined> {
  const text = await readText(space.load, page.document);
  if (!hasConditions(text)) {
    const indexed = sections.map(({ anchor, title, body }) => ({
      id: anchor ?? undefined,
      title,
      text: body,
    }));
    return { score, sections: matchingSections(indexed, sought.terms) };
  }
  if (text.length > room.characters) return undefined;
  room.characters -= text.length;
  requireSmall(space, 'text', MAX_EVALUATED - room.characters);
  const { title, label = '', description = '' } = page;
  const head = { title, label, description };
  try {
    return await readForVisitor(reader, space, page, (document) =>
      matchText(head, sectionsIn(document), sought),
    );
  } catch (error) {
    // A page that is too large to be evaluated must not end the search.
    if (error instanceof ApiError && error.status === 413) return undefined;
    throw error;
  }
}
