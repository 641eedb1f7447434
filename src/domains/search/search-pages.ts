import type { Ranked, Sought } from '../../content-engine/search/index.ts';
import { eachDemand, type Found, type SearchContext, type Searched } from './match-pages.ts';
import { requireFewExcerpts, sectionsIn, type Hit } from './present.ts';
import { consistently, hitsOf } from './search.ts';

/** A page that matches by the index, and its best sections. */
export interface FoundPage {
  readonly spaceId: string;
  readonly pageId: string;
  /** No text of the page can have a higher one that is not in the index. */
  readonly score: number;
  readonly sought: Sought;
  readonly sections: readonly {
    readonly anchor: string | null;
    readonly title: string;
    readonly body: string;
  }[];
}

export interface PageSearch<T> extends Searched {
  readonly query: string;
  readonly limit: number;
  /** A page as its reader sees it, with the score of what they see; undefined: it does not match, or is gone. */
  readonly read: (page: FoundPage) => Promise<{ readonly score: number; readonly hit: T } | undefined>;
}

/** Pages whose sections are read together. */
const PORTION = 60;

/** The best pages of several spaces in one order. A demand that no page meets as its reader sees it is met by none. */
export const searchPages = <T>(ctx: SearchContext, search: PageSearch<T>): Promise<readonly T[]> =>
  consistently(async (isLast) => {
    for await (const found of eachDemand(ctx, search, search.query, undefined)) {
      const hits = await readBest(ctx, search, found, isLast);
      if (!hits || hits.length > 0) return hits;
    }
    return [];
  });

interface Candidate {
  readonly spaceId: string;
  readonly page: number;
  readonly score: number;
}

interface RankedCandidate extends Candidate {
  readonly ranked: Ranked;
}

/** The order of results. Only what the reader sees decides it. */
const inOrder = (a: Candidate, b: Candidate): number =>
  b.score - a.score || (a.spaceId < b.spaceId ? -1 : a.spaceId > b.spaceId ? 1 : a.page - b.page);

/** Reads pages until none of the others can be better than the last that is returned. */
async function readBest<T>(
  ctx: SearchContext,
  { limit, read }: PageSearch<T>,
  found: Found,
  isLast: boolean,
): Promise<readonly T[] | undefined> {
  let best: (Candidate & { readonly hit: T })[] = [];
  const isComplete = (next: Candidate | undefined): boolean => {
    const last = best[limit - 1];
    return last !== undefined && next !== undefined && inOrder(last, next) < 0;
  };
  for (const portion of inPortions(found.bySpace)) {
    if (isComplete(portion[0])) break;
    const hits = await hitsOf(ctx, portion, found.terms, isLast);
    if (!hits) return undefined;
    requireFewExcerpts(ctx, hits);
    const byPage = new Map(portion.map((each) => [`${each.spaceId} ${each.page}`, each]));
    for (const page of pagesOf(hits, found, byPage)) {
      if (isComplete(page.candidate)) break;
      const seen = await read(page.found);
      if (!seen) continue;
      best = [...best, { ...page.candidate, ...seen }].toSorted(inOrder).slice(0, limit);
    }
  }
  return best.map(({ hit }) => hit);
}

/** The pages of all spaces in order. */
function* inPortions(bySpace: Found['bySpace']): Generator<RankedCandidate[], void, void> {
  const taken = new Map<string, number>();
  for (;;) {
    const portion = [...bySpace]
      .flatMap(([spaceId, pages]) => {
        const start = taken.get(spaceId) ?? 0;
        return pages
          .slice(start, start + PORTION)
          .map((ranked) => ({ spaceId, page: ranked.page, score: ranked.score, ranked }));
      })
      .toSorted(inOrder)
      .slice(0, PORTION);
    if (portion.length === 0) return;
    yield portion;
    for (const { spaceId } of portion) taken.set(spaceId, (taken.get(spaceId) ?? 0) + 1);
  }
}

function pagesOf(
  hits: readonly Hit[],
  { demand, terms, weights, title }: Found,
  byPage: ReadonlyMap<string, Candidate>,
): { readonly candidate: Candidate; readonly found: FoundPage }[] {
  const sought: Sought = { terms, weights, title, withAllTerms: demand !== 'any' };
  return hits.flatMap(({ rows }) => {
    const [first] = rows;
    const candidate = first && byPage.get(`${first.space_id} ${first.number}`);
    if (!candidate) return [];
    const sections = sectionsIn(rows, terms).map(({ anchor, title: heading, body }) => ({
      anchor,
      title: heading ?? '',
      body,
    }));
    const { spaceId, score } = candidate;
    return { candidate, found: { spaceId, pageId: first.page_id, score, sought, sections } };
  });
}
