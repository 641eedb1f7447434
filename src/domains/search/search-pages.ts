import { type Term } from '../../content-engine/search/index.ts';
import type { Database } from '../../platform/database/connection.ts';
import { inSlices } from '../../platform/threads/slices.ts';
import { matchPages } from './match-pages.ts';
import { sectionsIn, type Hit } from './present.ts';
import { consistently, hitsOf } from './search.ts';

/** A page that matches, and its best sections. */
export interface FoundPage {
  readonly spaceId: string;
  readonly pageId: string;
  readonly terms: readonly Term[];
  readonly sections: readonly {
    readonly anchor: string | null;
    readonly title: string;
    readonly body: string;
  }[];
}

/** The best pages of several spaces in one order. */
export const searchPages = (
  db: Database,
  spaceIds: readonly string[],
  query: string,
  limit: number,
): Promise<FoundPage[]> =>
  consistently(async (isLast) => {
    const { bySpace, terms } = await matchPages(db, spaceIds, query, undefined);
    const ranked = [...bySpace]
      .flatMap(([spaceId, pages]) => pages.slice(0, limit).map((each) => ({ spaceId, ranked: each })))
      .toSorted((a, b) => b.ranked.score - a.ranked.score)
      .slice(0, limit);
    const hits = await hitsOf(db, ranked, terms, isLast);
    return hits && inSlices(pagesOf(hits));
  });

/** Yields between pages: sixty of them may have some hundred passages with combining marks, which are searched word by word. */
function* pagesOf(hits: readonly Hit[]): Generator<void, FoundPage[], void> {
  const pages: FoundPage[] = [];
  for (const { rows, terms } of hits) {
    const [first] = rows;
    if (!first) continue;
    const sections = sectionsIn(rows, terms).map(({ anchor, title, body }) => ({
      anchor,
      title: title ?? '',
      body,
    }));
    pages.push({ spaceId: first.space_id, pageId: first.page_id, terms, sections });
    yield;
  }
  return pages;
}
