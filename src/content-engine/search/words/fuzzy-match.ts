import { distance } from '../../edit-distance.ts';

/** The number of tolerated typos by word length. A short word is similar to too many others. */
export const maxTypos = (word: string): number => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2);

export const canHaveTypos = (word: string): boolean => maxTypos(word) > 0;

/**
 * A word with one typo, even with two letters swapped, still has the beginning or the ending of the intended word. So
 * only words that share one of these are compared. With two typos, some similar words are missed.
 */
export function affixesOf(word: string): { readonly beginning: string; readonly ending: string } {
  const length = Math.floor((word.length - 1) / 2);
  return { beginning: word.slice(0, length), ending: word.slice(word.length - length) };
}

/** Words of a query that are corrected. */
const MAX_CORRECTED = 8;
/** Suggestions per word. */
const MAX_SUGGESTIONS = 8;
/** Suggestions for all words together: each is looked up in every segment. */
const MAX_TOTAL_SUGGESTIONS = 24;
/** The limit where words of hidden pages are left out afterwards: they must leave room for the others. */
const MAX_TOTAL_CANDIDATES = 96;

interface Suggestion {
  readonly word: string;
  readonly distance: number;
}

interface Mistyped {
  readonly word: string;
  readonly beginning: string;
  readonly ending: string;
  readonly typos: number;
  /** The nearest words so far, in order. */
  nearest: Suggestion[];
}

/**
 * The nearest indexed words for the words of a query. Words with the same first letter come first, because it is
 * seldom mistyped. `texts` are lists of words between spaces. `withSpares`: more than are suggested, because some of them
 * may not be.
 */
export function nearestWords(
  words: readonly string[],
  texts: readonly string[],
  { withSpares = false } = {},
): ReadonlyMap<string, readonly string[]> {
  const mistyped = [...new Set(words)]
    .filter(canHaveTypos)
    .slice(0, MAX_CORRECTED)
    .map((word): Mistyped => ({ word, ...affixesOf(word), typos: maxTypos(word), nearest: [] }));
  const count = Math.max(1, mistyped.length);
  const limit = withSpares
    ? Math.floor(MAX_TOTAL_CANDIDATES / count)
    : Math.min(MAX_SUGGESTIONS, Math.floor(MAX_TOTAL_SUGGESTIONS / count));
  if (mistyped.length > 0) {
    for (const text of texts) {
      for (const candidate of text.split(' ')) for (const word of mistyped) compare(word, candidate, limit);
    }
  }
  return new Map(mistyped.map(({ word, nearest }) => [word, nearest.map((suggestion) => suggestion.word)]));
}

function compare(mistyped: Mistyped, candidate: string, limit: number): void {
  const { word, beginning, ending, typos, nearest } = mistyped;
  if (Math.abs(candidate.length - word.length) > typos || candidate === word) return;
  if (!candidate.startsWith(beginning) && !candidate.endsWith(ending)) return;
  const total = distance(word, candidate, typos) + (candidate[0] === word[0] ? 0 : 0.5);
  if (total === Infinity || nearest.some((suggestion) => suggestion.word === candidate)) return;
  if (nearest.length === limit && total > (nearest.at(-1)?.distance ?? 0)) return;
  mistyped.nearest = [...nearest, { word: candidate, distance: total }]
    .toSorted((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1))
    .slice(0, limit);
}
