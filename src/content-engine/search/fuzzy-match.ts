/** How many typos are forgiven in a word. In short ones, and in scripts of pairs, every other word would be near. */
export const typosIn = (word: string): number => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2);

export const isForgiven = (word: string): boolean => typosIn(word) > 0;

/**
 * A word that is near another begins or ends as that one does: a typo, even two letters swapped, is in one part of it
 * alone. So those that share one of these are all that have to be looked at (for a second typo: most that have to).
 */
export function endsOf(word: string): { readonly beginning: string; readonly ending: string } {
  const length = Math.floor((word.length - 1) / 2);
  return { beginning: word.slice(0, length), ending: word.slice(word.length - length) };
}

/**
 * Letters added, left out, replaced or swapped with their neighbour, each counting one; beyond `most` it is Infinity.
 * Only cells at most `most` from the diagonal can matter, so the cost is the length times `most`.
 */
export function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: Math.min(b.length, most) + 1 }, (_each, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row: number[] = [];
    const [from, to] = [Math.max(0, i - most), Math.min(b.length, i + most)];
    let least = Infinity;
    for (let j = from; j <= to; j++) {
      const cost = j === 0 ? i : cheapest(a, b, i, j, row, last, beforeLast);
      row[j] = cost;
      if (cost < least) least = cost;
    }
    if (least > most) return Infinity;
    beforeLast = last;
    last = row;
  }
  const found = last[b.length] ?? Infinity;
  return found <= most ? found : Infinity;
}

/** Cells that were not computed are too far from the diagonal to be a way. */
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
  const added = (row[j - 1] ?? Infinity) + 1;
  const left = (last[j] ?? Infinity) + 1;
  const isSwapped =
    i > 1 &&
    j > 1 &&
    a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
    a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
  const swapped = isSwapped ? (beforeLast[j - 2] ?? Infinity) + 1 : Infinity;
  return Math.min(replaced, added, left, swapped);
}

/** Typos are corrected in so many words of a query, each with so many words that may have been meant. */
const MAX_MISTYPED = 8;
const MAX_NEAR = 8;
/** Of all words together: each is looked up in every segment. */
const MAX_NEAR_IN_ALL = 24;

interface Near {
  readonly word: string;
  readonly far: number;
}

interface Mistyped {
  readonly word: string;
  readonly beginning: string;
  readonly ending: string;
  readonly typos: number;
  /** The nearest so far, in order. */
  nearest: Near[];
}

/**
 * For some words of a query, the nearest of the words that texts hold between spaces: those with the same first letter
 * before others, which people seldom mistype. Only the first eight that are long enough are corrected. Yields between
 * pieces of the texts, which may have very many words.
 */
export function* nearestWords(
  words: readonly string[],
  texts: readonly string[],
): Generator<void, ReadonlyMap<string, readonly string[]>, void> {
  const mistyped = [...new Set(words)]
    .filter(isForgiven)
    .slice(0, MAX_MISTYPED)
    .map((word): Mistyped => ({ word, ...endsOf(word), typos: typosIn(word), nearest: [] }));
  const most = Math.min(MAX_NEAR, Math.floor(MAX_NEAR_IN_ALL / Math.max(1, mistyped.length)));
  if (mistyped.length > 0) {
    for (const text of texts) {
      for (const candidates of wordsInSteps(text)) {
        for (const candidate of candidates) for (const one of mistyped) compare(one, candidate, most);
        yield;
      }
    }
  }
  return new Map(mistyped.map(({ word, nearest }) => [word, nearest.map((near) => near.word)]));
}

function compare(mistyped: Mistyped, candidate: string, most: number): void {
  const { word, beginning, ending, typos, nearest } = mistyped;
  if (Math.abs(candidate.length - word.length) > typos || candidate === word) return;
  if (!candidate.startsWith(beginning) && !candidate.endsWith(ending)) return;
  const far = distance(word, candidate, typos) + (candidate[0] === word[0] ? 0 : 0.5);
  if (far === Infinity || nearest.some((near) => near.word === candidate)) return;
  if (nearest.length === most && far > (nearest.at(-1)?.far ?? 0)) return;
  mistyped.nearest = [...nearest, { word: candidate, far }]
    .toSorted((a, b) => a.far - b.far || (a.word < b.word ? -1 : 1))
    .slice(0, most);
}

const STEP = 32_768;

/** The words of a text that holds each between two spaces, some at a time. */
function* wordsInSteps(text: string): Generator<string[], void, void> {
  for (let start = 0; start < text.length;) {
    const space = text.indexOf(' ', start + STEP);
    const end = space < 0 ? text.length : space;
    yield text.slice(start, end).split(' ');
    start = end + 1;
  }
}
