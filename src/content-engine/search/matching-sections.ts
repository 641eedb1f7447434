import { countTerms, excerptOf, occurrencesOf, type Occurrence } from './excerpt.ts';
import { composed } from './words/fold.ts';
import { passagesOf } from './passages.ts';
import type { Term } from './words/query.ts';

export interface MatchingSection {
  /** The anchor of its heading. */
  readonly anchor: string | undefined;
  readonly title: string;
  readonly excerpt: string;
  /** How many of the terms its text has. */
  readonly found: number;
}

const MAX_SECTIONS = 3;

/** The sections with most of the terms, each with an excerpt. */
export function matchingSections(
  sections: readonly { readonly id: string | undefined; readonly title: string; readonly text: string }[],
  terms: readonly Term[],
): MatchingSection[] {
  return sections
    .flatMap(({ id, title, text }) => {
      const inTitle = countTerms(occurrencesOf(composed(title), terms));
      const { passage, occurrences, found } = bestPassage(text, terms);
      const score = inTitle + found;
      return score === 0
        ? []
        : [{ anchor: id, title, score, found, excerpt: excerptOf(passage, occurrences) }];
    })
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_SECTIONS)
    .map(({ anchor, title, excerpt, found }) => ({ anchor, title, excerpt, found }));
}

/** The passage with most of the terms, and how many of them the whole text has. A section may have 2 MB. */
function bestPassage(text: string, terms: readonly Term[]) {
  let passage: string | undefined;
  let occurrences: readonly Occurrence[] = [];
  let most = 0;
  const found = new Set<number>();
  for (const piece of passagesOf(text)) {
    const whole = composed(piece);
    const inPiece = occurrencesOf(whole, terms);
    const count = countTerms(inPiece);
    for (const { term } of inPiece) found.add(term);
    if (passage === undefined || count > most) [passage, occurrences, most] = [whole, inPiece, count];
    if (most === terms.length) break;
  }
  return { passage: passage ?? '', occurrences, found: found.size };
}
