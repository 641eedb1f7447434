import type { Term } from './words/query.ts';
import { type Entry } from './segments/blocks.ts';
import { afterPartKey } from './segments/segment.ts';

/** A word to look up; with `isPrefix`, all words with this prefix. */
export interface Lookup {
  /** Indices of the terms that it is for; of equal terms, the first. Undefined: it is the whole query as a title. */
  readonly terms: readonly number[] | undefined;
  readonly word: string;
  readonly isPrefix: boolean;
}

/** A block of a segment that may contain the word of a lookup. */
export interface LookupBlock {
  readonly lookup: Lookup;
  readonly entries: readonly Entry[];
}

/** The words to look up, each once, because a posting list may be long. `title`: the title key of the query. */
export function lookupsOf(terms: readonly Term[], title?: string): Lookup[] {
  const lookups = new Map<string, Lookup & { readonly terms: number[] }>();
  const add = (word: string, isPrefix: boolean, term: number) => {
    const key = isPrefix ? `${word}*` : word;
    const known = lookups.get(key);
    if (!known) lookups.set(key, { terms: [term], word, isPrefix });
    else if (known.terms.at(-1) !== term) known.terms.push(term);
  };
  const first = firstEqual(terms);
  terms.forEach(({ word, isPrefix, alternatives }, index) => {
    if (first[index] !== index) return;
    add(word, isPrefix, index);
    for (const other of alternatives) if (!(isPrefix && other.startsWith(word))) add(other, false, index);
  });
  const words: Lookup[] = [...lookups.values()];
  return title === undefined ? words : [...words, { terms: undefined, word: title, isPrefix: false }];
}

/** For each term, the index of the first that matches the same words. They differ in their place only. */
export function firstEqual(terms: readonly Term[]): number[] {
  const known = new Map<string, number>();
  return terms.map(({ word, isPrefix, alternatives }, index) => {
    const key = [word, isPrefix, ...alternatives].join(' ');
    const first = known.get(key) ?? index;
    known.set(key, first);
    return first;
  });
}

/** The exclusive upper bound of the keys of a lookup. */
export const lookupEnd = ({ terms, word, isPrefix }: Lookup): string =>
  terms === undefined ? word : isPrefix ? word + LAST : afterPartKey(word);

/** The beginning of the keys of a lookup, in the text of a block. A title key ends with its word. */
export const lookupStart = ({ terms, word }: Lookup): string => (terms === undefined ? `${word} ` : word);

/** Sorts after every continuation of a prefix. */
const LAST = '\u{10ffff}';
