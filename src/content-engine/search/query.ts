import { composed } from './fold.ts';
import { eachWord } from './tokenizer.ts';

/** One thing that is searched for. */
export interface Term {
  readonly word: string;
  /** Words that begin with it are meant too: it is being typed, or a single character of a longer word. */
  readonly isPrefix: boolean;
  /** It may stand inside of what is written without spaces. */
  readonly isInside: boolean;
  /** Which word of the query it is: neighbours in the query are neighbours in a phrase. */
  readonly place: number;
  /** Others that it may have been meant to be. */
  readonly instead: readonly string[];
}

/** What a person types has fewer. Further words of a query are ignored, not refused. */
export const MAX_TERMS = 24;

/**
 * The words of a query, in order; there may be none. An identifier is one word. `byPart`: it is its smallest parts, each
 * of which may also be found as the whole identifier.
 */
export function parseQuery(query: string, byPart = false): Term[] {
  const text = composed(query);
  const terms: Term[] = [];
  let whole: Term | undefined;
  eachWord(text, (word, kind, end, place) => {
    // The pair before the tail holds its character already.
    if (kind === 'tail' || (kind === 'part' && !byPart)) return;
    const isAtEnd = end === text.length;
    const term: Term = {
      word,
      isPrefix: kind === 'single' || ((kind === 'word' || kind === 'part') && isAtEnd),
      isInside: kind !== 'word' && kind !== 'part',
      place,
      instead: kind === 'part' && whole ? [whole.word] : [],
    };
    if (kind !== 'part') whole = term;
    // A part replaces what contains it at the same place: the identifier, or a larger part.
    if (kind === 'part' && terms.at(-1)?.place === place) terms.pop();
    terms.push(term);
  });
  return terms.slice(0, MAX_TERMS);
}
