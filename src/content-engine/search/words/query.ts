import { composed } from './fold.ts';
import { eachWord } from './tokenizer.ts';

/** One search term of a query. */
export interface Term {
  readonly word: string;
  /** Matches longer words too: it is still being typed, or a single character of an unspaced script. */
  readonly isPrefix: boolean;
  /** Matches inside of text that is written without spaces. */
  readonly isSubstring: boolean;
  /** Its index in the query, for phrase matching. */
  readonly place: number;
  /** Other words that match, such as corrected typos. */
  readonly alternatives: readonly string[];
}

/** Further words of a query are ignored. */
export const MAX_TERMS = 24;

/**
 * The terms of a query, in order; may be empty. An identifier is one term. With `byPart` it is its smallest parts,
 * each of which also matches the whole identifier.
 */
export function parseQuery(query: string, byPart = false): Term[] {
  const text = composed(query);
  const terms: Term[] = [];
  let whole: Term | undefined;
  eachWord(text, (word, kind, end, place) => {
    // The pair before the tail already contains its character.
    if (kind === 'tail' || (kind === 'part' && !byPart)) return;
    const isAtEnd = end === text.length;
    const term: Term = {
      word,
      isPrefix: kind === 'single' || ((kind === 'word' || kind === 'part') && isAtEnd),
      isSubstring: kind !== 'word' && kind !== 'part',
      place,
      alternatives: kind === 'part' && whole ? [whole.word] : [],
    };
    if (kind !== 'part') whole = term;
    // A part replaces the identifier or larger part that contains it at the same place.
    if (kind === 'part' && terms.at(-1)?.place === place) terms.pop();
    terms.push(term);
  });
  return terms.slice(0, MAX_TERMS);
}
