import { decodePositions, isHeadingAt, sectionAt, type Form } from './positions.ts';
import type { Term } from './query.ts';
import { afterPartKey, eachUse, HEADING, partKey, TITLE, type Entry } from './segment.ts';
import { sortInSteps } from '../sort-in-steps.ts';

/** The occurrences of one term on a page, all matching words together. */
interface TermUse {
  count: number;
  field: number;
  /** 1: the exact word; less: a longer word with this prefix, a part of an identifier, or a similar word. */
  closeness: number;
  /** Encoded positions, one list for each matching word. Decoded on demand: most pages do not need them. */
  readonly stored: StoredPositions[];
}

interface StoredPositions {
  readonly values: readonly number[];
  readonly from: number;
  readonly to: number;
  readonly form: Form;
}

/** Ascending. */
function positionsOf(use: TermUse | undefined): number[] {
  const lists = (use?.stored ?? []).map(({ values, from, to, form }) =>
    decodePositions(values, from, to, form),
  );
  return lists.length > 1 ? [...new Set(lists.flat())].toSorted((a, b) => a - b) : (lists[0] ?? []);
}

/** A page with some of the terms: `uses` has one element per term, in the order of the query. */
export interface Match {
  readonly page: number;
  readonly uses: (TermUse | undefined)[];
  /** Whether the query is the title of the page, or its label in navigation. */
  isTitle: boolean;
}

/** A word to look up for a term; with `isPrefix`, all words with this prefix. */
export interface Lookup {
  /** Index of the term. Undefined: the whole query as a title. */
  readonly term: number | undefined;
  readonly word: string;
  readonly isPrefix: boolean;
}

/** The words to look up, each once per term. `title`: the title key of the query. */
export const lookupsOf = (terms: readonly Term[], title?: string): Lookup[] => [
  ...terms.flatMap(({ word, isPrefix, alternatives }, term) => [
    { term, word, isPrefix },
    ...alternatives
      .filter((other) => !(isPrefix && other.startsWith(word)))
      .map((other) => ({ term, word: other, isPrefix: false })),
  ]),
  ...(title === undefined ? [] : [{ term: undefined, word: title, isPrefix: false }]),
];

/** The exclusive upper bound of the keys of a lookup. */
export const lookupEnd = ({ term, word, isPrefix }: Lookup): string =>
  term === undefined ? word : isPrefix ? word + LAST : afterPartKey(word);

/** Sorts after every continuation of a prefix. */
const LAST = '\u{10ffff}';

const LONGER = 0.8;
const PART = 0.8;
const NEAR = 0.6;

function closenessOf(lookup: Lookup, term: Term, key: string): number {
  const isPart = key === partKey(lookup.word);
  if (!isPart && !(lookup.isPrefix ? key.startsWith(lookup.word) : key === lookup.word)) return 0;
  if (lookup.word !== term.word) return NEAR;
  return key === term.word ? 1 : isPart ? PART : LONGER;
}

/** A block of a segment that may contain the word of a lookup. */
export interface LookupBlock {
  readonly lookup: Lookup;
  readonly form: Form;
  readonly entries: readonly Entry[];
}

/** The pages of one space with any of the terms. Yields between blocks. */
export function* matchesOf(
  terms: readonly Term[],
  found: Iterable<LookupBlock>,
  deleted: ReadonlySet<number>,
): Generator<void, Match[], void> {
  const matches = new Map<number, Match>();
  const matchOf = (page: number) => {
    let match = matches.get(page);
    if (!match) matches.set(page, (match = { page, uses: [], isTitle: false }));
    return match;
  };
  for (const { lookup, form, entries } of found) {
    const term = lookup.term === undefined ? undefined : terms[lookup.term];
    for (const [key, postings] of entries) {
      const closeness = term ? closenessOf(lookup, term, key) : Number(key === lookup.word);
      if (closeness === 0) continue;
      eachUse(postings, form, (page, count, field, values, from, to) => {
        if (deleted.has(page)) return;
        const match = matchOf(page);
        if (lookup.term === undefined) {
          match.isTitle = true;
          return;
        }
        const use = match.uses[lookup.term];
        const stored = { values, from, to, form };
        if (use) addWord(use, count, field, closeness, stored);
        else match.uses[lookup.term] = { count, field, closeness, stored: [stored] };
      });
    }
    yield;
  }
  return [...matches.values()];
}

function addWord(
  use: TermUse,
  count: number,
  field: number,
  closeness: number,
  stored: StoredPositions,
): void {
  use.count += count;
  use.field = Math.max(use.field, field);
  use.closeness = Math.max(use.closeness, closeness);
  use.stored.push(stored);
}

export const hasAllTerms = ({ uses }: Match, terms: readonly Term[]): boolean =>
  terms.every((_term, index) => uses[index] !== undefined);

/** The weight of each term by inverse document frequency. */
export const weightsOf = (terms: readonly Term[], matches: readonly Match[]): number[] =>
  terms.map((_term, index) => {
    const pages = matches.reduce((count, { uses }) => count + (uses[index] ? 1 : 0), 0);
    return Math.round(1000 / Math.log2(2 + pages)) / 1000;
  });

const IS_TITLE = 2000;
const IN_TITLE = 1000;
const IN_HEADINGS = 500;
const AS_PHRASE = 250;
const TOGETHER = 50;

/**
 * The score of a page. It depends on this page alone, so that a keyset cursor stays valid when other pages change. In
 * order of importance: the query is the title; all terms are in the title, in headings or anywhere; they are one
 * phrase; frequency and proximity of the terms.
 */
export function scoreOf(terms: readonly Term[], weights: readonly number[], match: Match): number {
  const { uses, isTitle } = match;
  const present = terms.map((_term, index) => uses[index]);
  let sum = 0;
  let most = 0;
  present.forEach((use, index) => {
    const weight = weights[index] ?? 1;
    most += weight;
    if (use) sum += weight * use.closeness * (1 + use.count / (use.count + 2) + use.field / 4);
  });
  let score = (100 * sum) / most;
  if (present.some((use) => !use)) return score;
  if (isTitle) score += IS_TITLE;
  if (present.every((use) => use?.field === TITLE)) score += IN_TITLE;
  else if (present.every((use) => use && use.field >= HEADING)) score += IN_HEADINGS;
  if (terms.length > 1) {
    const positions = present.map(positionsOf);
    const compared = positions.map((each) => each.slice(0, MAX_COMPARED));
    score += (TOGETHER * terms.length) / Math.max(shortestSpan(compared), terms.length);
    if (isPhrase(terms, positions)) score += AS_PHRASE;
  }
  return score;
}

/** Positions per term for the proximity, which decides only between otherwise equal pages. */
const MAX_COMPARED = 500;

/** Whether the terms occur as a phrase. Checks every position of the rarest term. The lists are ascending. */
export function isPhrase(terms: readonly Term[], positions: readonly (readonly number[])[]): boolean {
  let rarest = 0;
  positions.forEach((each, index) => {
    if (each.length < (positions[rarest]?.length ?? 0)) rarest = index;
  });
  const place = terms[rarest]?.place ?? 0;
  return (positions[rarest] ?? []).some((position) =>
    terms.every((term, index) => hasNumber(positions[index] ?? [], position + term.place - place)),
  );
}

/** Binary search in an ascending list. */
function hasNumber(list: readonly number[], wanted: number): boolean {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return list[low] === wanted;
}

/** The length in words of the shortest span with a position of each list. The lists are ascending. */
export function shortestSpan(lists: readonly (readonly number[])[]): number {
  const at = lists.map(() => 0);
  let shortest = Infinity;
  for (;;) {
    let first = 0;
    let last = -1;
    for (let list = 0; list < lists.length; list++) {
      const position = lists[list]?.[at[list] ?? 0];
      if (position === undefined) return shortest;
      if (position < (lists[first]?.[at[first] ?? 0] ?? 0)) first = list;
      if (position > last) last = position;
    }
    shortest = Math.min(shortest, last - (lists[first]?.[at[first] ?? 0] ?? 0) + 1);
    // A shorter span cannot contain the first position.
    at[first] = (at[first] ?? 0) + 1;
  }
}

export interface Ranked {
  readonly page: number;
  readonly score: number;
  readonly match: Match;
}

/** Sorts by score, then by index order. Yields between pages. */
export function* rankMatches(
  terms: readonly Term[],
  weights: readonly number[],
  matches: readonly Match[],
): Generator<void, Ranked[], void> {
  const scored: Ranked[] = [];
  for (const match of matches) {
    scored.push({ page: match.page, score: scoreOf(terms, weights, match), match });
    yield;
  }
  return yield* sortInSteps(scored, (a, b) => b.score - a.score || a.page - b.page);
}

/** The sections of a page with most of the terms, those with terms in headings first. */
export function sectionsOf({ uses }: Match, limit: number): number[] {
  const sections = new Map<number, { readonly terms: Set<number>; readonly inHeading: Set<number> }>();
  uses.forEach((use, term) => {
    for (const position of positionsOf(use)) {
      const section = sectionAt(position);
      if (section === 0) continue;
      let has = sections.get(section);
      if (!has) sections.set(section, (has = { terms: new Set(), inHeading: new Set() }));
      has.terms.add(term);
      if (isHeadingAt(position)) has.inHeading.add(term);
    }
  });
  return [...sections]
    .toSorted(
      ([a, has], [b, other]) =>
        other.inHeading.size - has.inHeading.size || other.terms.size - has.terms.size || a - b,
    )
    .slice(0, limit)
    .map(([section]) => section);
}
