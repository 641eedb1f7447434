import { composed } from './fold.ts';
import { eachWord, type WordKind } from './words.ts';

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

/** What a person types has fewer; a longer query is cut, not refused. */
const MOST_TERMS = 24;

/** Whatever is not a word is left out; there may be none. */
export function parseQuery(query: string): Term[] {
  const text = composed(query);
  const found: { word: string; kind: WordKind; end: number; place: number }[] = [];
  let place = 0;
  eachWord(text, (word, kind, end) => {
    // The pair before the tail holds its character already.
    if (kind !== 'tail') found.push({ word, kind, end, place });
    place++;
  });
  return found.slice(0, MOST_TERMS).map(({ word, kind, end, place: at }) => ({
    word,
    isPrefix: kind === 'single' || (kind === 'word' && end === text.length),
    isInside: kind !== 'word',
    place: at,
    instead: [],
  }));
}
