/** Deterministic pseudo-random numbers: equal seeds give equal numbers (mulberry32). */
export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** An integer from 0 to below `limit`. */
  below(limit: number): number;
  pick<T>(from: readonly T[]): T;
}

export function randomFrom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { next, below, pick: <T>(from: readonly T[]) => from[below(from.length)] as T };
}

const SIZE = 5000;
const ONSETS = 'b c d f g h j k l m n p r s t v w br cl cr dr fl gr pl pr sh st str tr th'.split(' ');
const VOWELS = 'a e i o u a e i o ai ea io ou'.split(' ');
const CODAS = ['', '', '', '', 'n', 'r', 's', 'l', 't', 'm', 'nd', 'nt', 'ck', 'st'];

/** Pronounceable words, the most common first; those are shorter, as in every language. */
export const vocabulary: readonly string[] = makeVocabulary();

function makeVocabulary(): string[] {
  const random = randomFrom(0);
  const words = new Set<string>();
  while (words.size < SIZE) {
    const syllables = words.size < 60 ? 1 : words.size < 1000 ? 2 : 2 + random.below(3);
    let word = '';
    for (let i = 0; i < syllables; i++) word += random.pick(ONSETS) + random.pick(VOWELS);
    words.add(word + random.pick(CODAS));
  }
  return [...words];
}

/** Cumulative frequencies: the n-th word is used 1/n as often as the first (Zipf). */
const cumulative = new Float64Array(SIZE);
for (let rank = 0; rank < SIZE; rank++) cumulative[rank] = (cumulative[rank - 1] ?? 0) + 1 / (rank + 1);

export function drawWord(random: Random): string {
  const target = random.next() * (cumulative[SIZE - 1] as number);
  let low = 0;
  let high = SIZE - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cumulative[middle] as number) < target) low = middle + 1;
    else high = middle;
  }
  return vocabulary[low] as string;
}
