import { pageAt } from './corpus.ts';
import { randomFrom, type Random } from './vocabulary.ts';

/** A query of three remembered words for one known page. */
export interface KnownItem {
  /** The index of the page in the corpus. */
  readonly page: number;
  readonly words: readonly string[];
  /** The same words, one of them with a typo. */
  readonly withTypo: readonly string[];
}

const PAGES = 1000;
const WORDS = 3;
/** Words on more than this share of pages are not used. */
const COMMON = 0.1;

/** Queries for pages among the first thousand, evenly spread; words of their paragraphs, not of the title. */
export function knownItems(count: number): KnownItem[] {
  const pagesWith = new Map<string, number>();
  for (let page = 0; page < PAGES; page++) {
    for (const word of pageAt(page).words) pagesWith.set(word, (pagesWith.get(word) ?? 0) + 1);
  }
  return Array.from({ length: count }, (_each, i) => {
    const page = Math.floor((i * PAGES) / count);
    const random = randomFrom(1_000_000 + i);
    const { title, words: all } = pageAt(page);
    const inTitle = new Set(title.toLowerCase().split(' '));
    const candidates = all.filter(
      (word) => !inTitle.has(word) && (pagesWith.get(word) ?? 0) <= COMMON * PAGES,
    );
    const words = Array.from(
      { length: WORDS },
      () => candidates.splice(random.below(candidates.length), 1)[0] ?? '',
    );
    const wrong = random.below(WORDS);
    return { page, words, withTypo: words.map((word, at) => (at === wrong ? mistyped(word, random) : word)) };
  });
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** A deletion, an insertion, a substitution or a transposition. */
export function mistyped(word: string, random: Random): string {
  const at = random.below(word.length);
  const [before, letter, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
  const other = random.pick(LETTERS.filter((each) => each !== letter));
  const typo = random.pick([
    before + after,
    before + other + letter + after,
    before + other + after,
    before + after.charAt(0) + letter + after.slice(1),
  ]);
  // Equal letters, or the last one, cannot be transposed.
  return typo === word ? before + other + after : typo;
}
