import { composed } from './words/fold.ts';
import { lookupsOf } from './lookups.ts';
import { hasAllTerms, matchesOf } from './matches.ts';
import { matchingSections, type MatchingSection } from './matching-sections.ts';
import type { Term } from './words/query.ts';
import { rankMatches } from './rank.ts';
import { segmentOf, type PageText } from './segments/segment.ts';

/** What a page must have to be found, and how it is scored. */
export interface Sought {
  readonly terms: readonly Term[];
  readonly weights: readonly number[];
  readonly withAllTerms: boolean;
  /** The title key of the query, if that counts. */
  readonly title: string | undefined;
}

export interface TextMatch {
  readonly score: number;
  readonly sections: readonly MatchingSection[];
}

type Section = { readonly id: string | undefined; readonly title: string; readonly text: string };

/**
 * How a page matches by this text alone, which may be less than is in the index; undefined: it does not match. Its score is
 * the one that it would have if the index contained no more.
 */
export function matchText(
  head: Omit<PageText, 'sections'>,
  sections: readonly Section[],
  { terms, weights, withAllTerms, title }: Sought,
): TextMatch | undefined {
  const text: PageText = {
    title: composed(head.title),
    label: composed(head.label),
    description: composed(head.description),
    sections: sections.map((section) => ({ title: composed(section.title), text: composed(section.text) })),
  };
  const entries = [...segmentOf([{ number: 1, text }])];
  const found = lookupsOf(terms, title).map((lookup) => ({ lookup, entries }));
  const matches = matchesOf(terms, found, new Set());
  const wanted = matches.filter((match) => !withAllTerms || hasAllTerms(match, terms));
  const [ranked] = rankMatches(terms, weights, wanted);
  return ranked && { score: ranked.score, sections: matchingSections(sections, terms) };
}
