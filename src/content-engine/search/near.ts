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

/** Letters added, left out, replaced or swapped with their neighbour, each counting one; beyond `most` it is Infinity. */
export function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_each, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    if (Math.min(...row) > most) return Infinity;
    beforeLast = last;
    last = row;
  }
  const found = last[b.length] ?? 0;
  return found <= most ? found : Infinity;
}

/** More would be guessing. */
const MOST_NEAR = 8;

/** The nearest of some words, those with the same first letter before others: people seldom mistype it. */
export function nearest(word: string, candidates: readonly string[]): string[] {
  const most = typosIn(word);
  return candidates
    .filter((candidate) => candidate !== word)
    .map((candidate) => ({
      candidate,
      far: distance(word, candidate, most) + (candidate[0] === word[0] ? 0 : 0.5),
    }))
    .filter(({ far }) => far < Infinity)
    .toSorted((a, b) => a.far - b.far || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, MOST_NEAR)
    .map(({ candidate }) => candidate);
}

/** Of a longer query so many words are looked at: each makes the search for others longer. */
const MOST_MISTYPED = 8;

/** Of texts that hold words between spaces, those words that may be near any of some: they begin or end as it does. */
export function wordsLike(words: readonly string[], texts: readonly string[]): string[] {
  const wanted = words
    .filter(isForgiven)
    .slice(0, MOST_MISTYPED)
    .map((word) => ({ ...endsOf(word), length: word.length, typos: typosIn(word) }));
  const isLike = (word: string) =>
    wanted.some(
      ({ beginning, ending, length, typos }) =>
        Math.abs(word.length - length) <= typos && (word.startsWith(beginning) || word.endsWith(ending)),
    );
  return wanted.length === 0
    ? []
    : [...new Set(texts.flatMap((text) => text.split(' ').filter((word) => word && isLike(word))))];
}
