import type { Term } from './query.ts';
import { eachUse, HEADING, isHeadingAt, sectionAt, TITLE, type Entry } from './segment.ts';

/** How a page uses what one term stands for, all forms of it together. */
interface TermUse {
  readonly count: number;
  readonly field: number;
  /** 1: the very word; less: a longer word that begins with it, or another that is near. */
  readonly closeness: number;
  /** Its positions are here, from `from` to before `to`: of most pages nobody wants to know them. */
  readonly values: readonly number[];
  readonly from: number;
  readonly to: number;
}

const positionsOf = ({ values, from, to }: TermUse): readonly number[] => values.slice(from, to);

/** A page that uses some of the terms: one place for each, in the order of the query. */
export interface Match {
  readonly page: number;
  readonly uses: (TermUse | undefined)[];
}

/** A word to look up for a term; with `isPrefix`, all that begin with it. */
export interface Lookup {
  /** Which of the terms. */
  readonly term: number;
  readonly word: string;
  readonly isPrefix: boolean;
}

/** No word is looked up twice for a term. */
export const lookupsOf = (terms: readonly Term[]): Lookup[] =>
  terms.flatMap(({ word, isPrefix, instead }, term) => [
    { term, word, isPrefix },
    ...instead
      .filter((other) => !(isPrefix && other.startsWith(word)))
      .map((other) => ({ term, word: other, isPrefix: false })),
  ]);

const LONGER = 0.8;
const NEAR = 0.6;

function closenessOf(lookup: Lookup, term: Term, word: string): number {
  if (!(lookup.isPrefix ? word.startsWith(lookup.word) : word === lookup.word)) return 0;
  if (word === term.word) return 1;
  return lookup.isPrefix ? LONGER : NEAR;
}

/** The pages of one space that use any term, from the blocks that may hold what is looked up. */
export function matchesOf(
  terms: readonly Term[],
  found: readonly { readonly lookup: Lookup; readonly entries: readonly Entry[] }[],
  gone: ReadonlySet<number>,
): Match[] {
  const matches = new Map<number, Match>();
  for (const { lookup, entries } of found) {
    const term = terms[lookup.term];
    if (!term) continue;
    for (const [word, postings] of entries) {
      const closeness = closenessOf(lookup, term, word);
      if (closeness === 0) continue;
      eachUse(postings, (page, count, field, values, from, to) => {
        if (gone.has(page)) return;
        let match = matches.get(page);
        if (!match) matches.set(page, (match = { page, uses: [] }));
        const before = match.uses[lookup.term];
        const use = { count, field, closeness, values, from, to };
        match.uses[lookup.term] = before ? together(before, use) : use;
      });
    }
  }
  return [...matches.values()];
}

function together(a: TermUse, b: TermUse): TermUse {
  const values = [...positionsOf(a), ...positionsOf(b)].toSorted((one, other) => one - other);
  return {
    count: a.count + b.count,
    field: Math.max(a.field, b.field),
    closeness: Math.max(a.closeness, b.closeness),
    values,
    from: 0,
    to: values.length,
  };
}

export const hasAll = ({ uses }: Match, terms: readonly Term[]): boolean =>
  terms.every((_term, index) => uses[index] !== undefined);

/** What each term says about a page that has it: the fewer have it, the more. */
export const weightsOf = (terms: readonly Term[], matches: readonly Match[]): number[] =>
  terms.map((_term, index) => {
    const pages = matches.reduce((count, { uses }) => count + (uses[index] ? 1 : 0), 0);
    return Math.round(1000 / Math.log2(2 + pages)) / 1000;
  });

const IN_TITLE = 1000;
const IN_HEADINGS = 500;
const AS_PHRASE = 250;
const TOGETHER = 50;

/**
 * How well a page answers, by what it holds alone: others that come and go do not change it, so that a list can be
 * continued behind a score. First where all terms stand (title, headings, anywhere), then whether they stand there as
 * one phrase, then how much the page is about them and how near they stand.
 */
export function scoreOf(terms: readonly Term[], weights: readonly number[], { uses }: Match): number {
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
  if (present.every((use) => use?.field === TITLE)) score += IN_TITLE;
  else if (present.every((use) => use && use.field >= HEADING)) score += IN_HEADINGS;
  if (terms.length > 1) {
    const positions = present.map((use) => (use ? positionsOf(use) : []));
    score += (TOGETHER * terms.length) / Math.max(shortestSpan(positions), terms.length);
    if (isPhrase(terms, positions)) score += AS_PHRASE;
  }
  return score;
}

function isPhrase(terms: readonly Term[], positions: readonly (readonly number[])[]): boolean {
  const start = terms[0]?.place ?? 0;
  return (positions[0] ?? []).some((position) =>
    terms.every(({ place }, index) => positions[index]?.includes(position + place - start)),
  );
}

/** How many words the shortest stretch has that holds one of each list; the lists ascend. */
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
    // Only without its first one can a stretch be shorter.
    at[first] = (at[first] ?? 0) + 1;
  }
}

export interface Ranked {
  readonly page: number;
  readonly score: number;
  readonly match: Match;
}

/** Best first; of equals the one that was indexed first. */
export const ranked = (
  terms: readonly Term[],
  weights: readonly number[],
  matches: readonly Match[],
): Ranked[] =>
  matches
    .map((match) => ({ page: match.page, score: scoreOf(terms, weights, match), match }))
    .toSorted((a, b) => b.score - a.score || a.page - b.page);

/** The sections of a page that have most of the terms, first where headings have them; at most so many. */
export function sectionsOf({ uses }: Match, most: number): number[] {
  const sections = new Map<number, { readonly terms: Set<number>; readonly inHeading: Set<number> }>();
  uses.forEach((use, term) => {
    for (const position of use ? positionsOf(use) : []) {
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
    .slice(0, most)
    .map(([section]) => section);
}
