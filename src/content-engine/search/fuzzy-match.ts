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

/**
 * Damerau-Levenshtein distance (optimal string alignment), Infinity beyond `limit`. Only cells within `limit` of the
 * diagonal are computed, so the cost is the length times `limit`.
 */
export function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: Math.min(b.length, limit) + 1 }, (_each, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row: number[] = [];
    const [from, to] = [Math.max(0, i - limit), Math.min(b.length, i + limit)];
    let least = Infinity;
    for (let j = from; j <= to; j++) {
      const cost = j === 0 ? i : cheapest(a, b, i, j, row, last, beforeLast);
      row[j] = cost;
      if (cost < least) least = cost;
    }
    if (least > limit) return Infinity;
    beforeLast = last;
    last = row;
  }
  const found = last[b.length] ?? Infinity;
  return found <= limit ? found : Infinity;
}

/** Cells that were not computed are too far from the diagonal, and count as Infinity. */
function cheapest(
  a: string,
  b: string,
  i: number,
  j: number,
  row: readonly number[],
  last: readonly number[],
  beforeLast: readonly number[],
): number {
  const isSame = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
  const replaced = (last[j - 1] ?? Infinity) + (isSame ? 0 : 1);
  const inserted = (row[j - 1] ?? Infinity) + 1;
  const deleted = (last[j] ?? Infinity) + 1;
  const isSwapped =
    i > 1 &&
    j > 1 &&
    a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
    a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
  const swapped = isSwapped ? (beforeLast[j - 2] ?? Infinity) + 1 : Infinity;
  return Math.min(replaced, inserted, deleted, swapped);
}

/** Words of a query that are corrected. */
const MAX_CORRECTED = 8;
/** Suggestions per word. */
const MAX_SUGGESTIONS = 8;
/** Suggestions for all words together: each is looked up in every segment. */
const MAX_TOTAL_SUGGESTIONS = 24;

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
 * seldom mistyped. `texts` are lists of words between spaces. Yields between parts of the texts, which may have very
 * many words.
 */
export function* nearestWords(
  words: readonly string[],
  texts: readonly string[],
): Generator<void, ReadonlyMap<string, readonly string[]>, void> {
  const mistyped = [...new Set(words)]
    .filter(canHaveTypos)
    .slice(0, MAX_CORRECTED)
    .map((word): Mistyped => ({ word, ...affixesOf(word), typos: maxTypos(word), nearest: [] }));
  const limit = Math.min(MAX_SUGGESTIONS, Math.floor(MAX_TOTAL_SUGGESTIONS / Math.max(1, mistyped.length)));
  if (mistyped.length > 0) {
    for (const text of texts) {
      for (const candidates of wordsInSteps(text)) {
        for (const candidate of candidates) for (const word of mistyped) compare(word, candidate, limit);
        yield;
      }
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

/** Characters of a text whose words are compared in some milliseconds, even if all of them are similar to eight words. */
const STEP = 2048;

/** The words of a text that holds each between two spaces, some at a time. */
function* wordsInSteps(text: string): Generator<string[], void, void> {
  for (let start = 0; start < text.length;) {
    const space = text.indexOf(' ', start + STEP);
    const end = space < 0 ? text.length : space;
    yield text.slice(start, end).split(' ');
    start = end + 1;
  }
}
