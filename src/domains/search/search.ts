import { sectionsOf, type Ranked, type Term } from '../../content-engine/search/index.ts';
import type { Page, PageRequest } from '../../platform/api/pagination.ts';
import { matchPages, type Demand, type Found, type Reading, type SearchContext } from './match-pages.ts';
import type { Hit, RankedHit } from './present.ts';
import { getShown, type ShownRow } from './query-store.ts';

/** Pages of one space in a search of its organization. */
const PAGES_OF_A_SPACE = 10;

export const searchSpace = (
  ctx: SearchContext,
  spaceId: string,
  query: string,
  request: PageRequest,
): Promise<Page<RankedHit>> =>
  consistently(async (isLast) => {
    const { part, terms } = await matchPart(ctx, [spaceId], query, request, ({ bySpace }) =>
      (bySpace.get(spaceId) ?? []).map((ranked, index) => ({
        id: ranked.page,
        score: ranked.score,
        ranked,
        rank: index + 1,
      })),
    );
    const wanted = part.rows.map(({ ranked, rank }) => ({ spaceId, ranked, rank }));
    const hits = await hitsOf(ctx, wanted, terms, isLast);
    return hits && { ...part, rows: withRanks(hits, wanted) };
  });

export interface SpaceHit {
  readonly id: string;
  readonly title: string;
  readonly score: number;
  readonly hits: readonly RankedHit[];
}

interface RankedPage {
  readonly spaceId: string;
  readonly ranked: Ranked;
  readonly rank: number;
}

function withRanks(hits: readonly Hit[], wanted: readonly RankedPage[]): RankedHit[] {
  const byPage = new Map(wanted.map((each) => [`${each.spaceId} ${each.ranked.page}`, each]));
  return hits.map((hit) => {
    const [row] = hit.rows;
    const { ranked, rank = 0 } = byPage.get(`${row?.space_id} ${row?.number}`) ?? {};
    return { ...hit, score: ranked?.score ?? 0, rank };
  });
}

/** The best pages of each space with their ranks among all of them. */
function rankPages(bySpace: Found['bySpace']): Map<string, readonly RankedPage[]> {
  const best = Array.from(bySpace, ([spaceId, pages]) =>
    pages.slice(0, PAGES_OF_A_SPACE).map((ranked) => ({ spaceId, ranked })),
  );
  const inOrder = best
    .flat()
    .toSorted((a, b) => b.ranked.score - a.ranked.score || (a.spaceId < b.spaceId ? -1 : 1));
  const ranks = new Map(inOrder.map((page, index) => [page, index + 1]));
  return new Map(
    best.map((pages) => [
      pages[0]?.spaceId ?? '',
      pages.map((page) => ({ ...page, rank: ranks.get(page) ?? 0 })),
    ]),
  );
}

/** The spaces with matches, the one with the best match first, each with its best pages. */
export const searchSpaces = (
  ctx: SearchContext,
  spaces: readonly { readonly space_id: string; readonly title: string }[],
  query: string,
  request: PageRequest,
): Promise<Page<SpaceHit>> =>
  consistently(async (isLast) => {
    const ids = spaces.map((space) => space.space_id);
    const { part, terms } = await matchPart(ctx, ids, query, request, ({ bySpace }) =>
      Array.from(rankPages(bySpace), ([id, pages]) => ({
        id,
        score: pages[0]?.ranked.score ?? 0,
        pages,
      })).toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)),
    );
    const wanted = part.rows.flatMap(({ pages }) => pages);
    const hits = await hitsOf(ctx, wanted, terms, isLast);
    const titles = new Map(spaces.map(({ space_id: id, title }) => [id, title]));
    const bySpace = new Map(part.rows.map(({ id }) => [id, [] as RankedHit[]]));
    for (const hit of withRanks(hits ?? [], wanted)) bySpace.get(hit.rows[0]?.space_id ?? '')?.push(hit);
    return (
      hits && {
        ...part,
        rows: part.rows.map(({ id, score }) => ({
          id,
          title: titles.get(id) ?? '',
          score,
          hits: bySpace.get(id) ?? [],
        })),
      }
    );
  });

/** An item of a list: a page of a space, or a space of an organization. */
interface Item {
  readonly id: string | number;
  readonly score: number;
}

/**
 * Returns one page of the list. The other matches, which may be thousands, are garbage before the excerpts are read: those of
 * many searches that wait for the database would survive the collections of the young generation.
 */
async function matchPart<I extends Item>(
  ctx: SearchContext,
  spaceIds: readonly string[],
  query: string,
  request: PageRequest,
  itemsOf: (found: Found) => readonly I[],
): Promise<{ readonly part: Page<I>; readonly terms: readonly Term[] }> {
  const found = await matchPages(ctx, { spaceIds }, query, begunBy(request));
  return { part: partOf(itemsOf(found), request, found), terms: found.terms };
}

function begunBy({ after }: PageRequest): Reading | undefined {
  if (!after) return undefined;
  const [, , demand, ...weights] = after.key as [number, string | number, Demand, ...number[]];
  return { demand, weights };
}

/**
 * Scores are not a column, so that every page of the list ranks all matches again and continues after the last score
 * and id. A score depends on its page and on the cursor, so that other pages do not move it: as in other lists, nothing
 * is skipped or repeated, except a page that itself changed.
 */
function partOf<I extends Item>(items: readonly I[], request: PageRequest, found: Found): Page<I> {
  const [score = 0, id = 0] = request.after?.key ?? [];
  const rest = request.after
    ? items.filter((item) => item.score < Number(score) || (item.score === score && item.id > id))
    : items;
  const rows = rest.slice(0, request.limit);
  const last = rows.at(-1);
  const count = request.after?.count ?? items.length;
  return {
    rows,
    count,
    next:
      last && rest.length > rows.length
        ? { page: request.cursor([last.score, last.id, found.demand, ...found.weights], count) }
        : undefined,
  };
}

/** Results in the order of the request. Undefined: some were replaced after they had been matched. */
export async function hitsOf(
  { db }: Pick<SearchContext, 'db'>,
  wanted: readonly { readonly spaceId: string; readonly ranked: Ranked }[],
  terms: readonly Term[],
  isLast: boolean,
): Promise<Hit[] | undefined> {
  if (wanted.length === 0) return [];
  const rows = await getShown(
    db,
    wanted.map(({ spaceId, ranked }) => ({ spaceId, page: ranked.page, sections: sectionsOf(ranked.match) })),
  );
  const hits: { rows: ShownRow[]; terms: readonly Term[] }[] = [];
  let before: ShownRow | undefined;
  for (const row of rows) {
    if (before?.number === row.number && before.space_id === row.space_id) hits.at(-1)?.rows.push(row);
    else hits.push({ rows: [row], terms });
    before = row;
  }
  return isLast || hits.length === wanted.length ? hits : undefined;
}

const MAX_ATTEMPTS = 5;

/**
 * Matches and excerpts are two statements. If the space was published between them, the search is repeated; a space
 * that changes faster than that is shown without what changed.
 */
export async function consistently<T>(attempt: (isLast: boolean) => Promise<T | undefined>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    const result = await attempt(attempts === MAX_ATTEMPTS);
    if (result !== undefined) return result;
  }
}
