import { countTerms, excerptOf, occurrencesOf, type Term } from '../../content-engine/search/index.ts';
import type { Addresses, Context } from '../../platform/api/context.ts';
import { requireSmall } from '../../platform/api/too-large-here.ts';
import type { ShownRow } from './query-store.ts';

/** A matching page, with a row for each section that is shown. */
export interface Hit {
  readonly rows: readonly ShownRow[];
  readonly terms: readonly Term[];
}

export interface RankedHit extends Hit {
  readonly score: number;
  /** The rank in the whole list, from one. */
  readonly rank: number;
}

/** The titles of the pages and groups above a page. Undefined where they are not read. */
export type TitlesAbove = ((pageId: string) => readonly string[]) | undefined;

/** An excerpt is found in its text in a tenth of the time that parsing takes. */
const COST_OF_EXCERPTS = 0.1;

export function presentPages(
  ctx: Pick<Context, 'addresses' | 'isFront'>,
  hits: readonly RankedHit[],
  titlesAbove: TitlesAbove,
) {
  requireFewExcerpts(ctx, hits);
  return hits.map((hit) => presentPage(hit, ctx.addresses, titlesAbove));
}

export function requireFewExcerpts(ctx: Pick<Context, 'isFront'>, hits: readonly Hit[]): void {
  let characters = 0;
  for (const { rows } of hits) for (const { body } of rows) characters += body?.length ?? 0;
  requireSmall(ctx, 'text', COST_OF_EXCERPTS * characters);
}

function presentPage(
  { rows, terms, score, rank }: RankedHit,
  addresses: Addresses,
  titlesAbove: TitlesAbove,
) {
  const [page] = rows;
  if (!page) throw new Error('a found page has no row');
  const app = `/app/spaces/${page.space_id}/pages/${page.page_id}`;
  return {
    id: page.page_id,
    title: page.title,
    linkTitle: page.label || undefined,
    description: page.description,
    path: page.path,
    score,
    rank,
    ancestors: titlesAbove?.(page.page_id).map((title) => ({ title })),
    sections: sectionsIn(rows, terms).map(({ anchor, title, body, places }) => {
      const fragment = anchor === null ? '' : `#${encodeURIComponent(anchor)}`;
      return {
        id: anchor ?? page.page_id,
        title: title || page.title,
        path: page.path + fragment,
        score: sectionScore(score, countTerms(places), terms),
        body: excerptOf(body, places),
        urls: { app: addresses.of(app + fragment) },
      };
    }),
    urls: { app: addresses.of(app) },
  };
}

/** A section has the part of the score of its page that is its part of the terms. */
export const sectionScore = (score: number, found: number, terms: readonly Term[]): number =>
  (score * found) / Math.max(terms.length, 1);

/** A long section is stored in pieces: the one with most of the terms is shown. */
export function sectionsIn(rows: readonly ShownRow[], terms: readonly Term[]) {
  const pieces = rows.flatMap(({ anchor, section_title: title, body }) =>
    body === null ? [] : [{ anchor, title, body, places: occurrencesOf(body, terms) }],
  );
  return pieces.filter((piece, index) =>
    pieces.every((other, at) => {
      if (at === index || other.anchor !== piece.anchor) return true;
      const difference = countTerms(piece.places) - countTerms(other.places);
      return difference > 0 || (difference === 0 && index < at);
    }),
  );
}
