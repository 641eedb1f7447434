import { hasAllTerms, positionsOf, sectionsOf, type Match, type TermUse } from './matches.ts';
import type { Term } from './words/query.ts';
import { HEADING, TITLE } from './segments/segment.ts';

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
function scoreOf(
  terms: readonly Term[],
  weights: readonly number[],
  { uses, isTitle }: Match,
  proximity: number,
): number {
  let sum = 0;
  let most = 0;
  let field = TITLE;
  let isComplete = true;
  for (let index = 0; index < terms.length; index++) {
    const use = uses[index];
    const weight = weights[index] ?? 1;
    most += weight;
    if (use) {
      sum += weight * use.closeness * (1 + use.count / (use.count + 2) + use.field / 4);
      field = Math.min(field, use.field);
    } else isComplete = false;
  }
  const score = (100 * sum) / most;
  if (!isComplete) return score;
  const inFields = field === TITLE ? IN_TITLE : field >= HEADING ? IN_HEADINGS : 0;
  return score + (isTitle ? IS_TITLE : 0) + inFields + proximity;
}

/** The part of the score for terms that are close together. */
function proximityOf(terms: readonly Term[], match: Match): number {
  if (match.summary) return match.summary.proximity;
  if (terms.length <= 1 || !hasAllTerms(match, terms)) return 0;
  const { uses } = match;
  // Equal terms have the same object.
  const decoded = new Map<TermUse, number[]>();
  for (const use of uses) if (use && !decoded.has(use)) decoded.set(use, positionsOf(use));
  const positions = uses.map((use) => (use && decoded.get(use)) ?? []);
  const compared = positions.map((each) => each.slice(0, MAX_COMPARED));
  const together = (TOGETHER * terms.length) / Math.max(shortestSpan(compared), terms.length);
  return isPhrase(terms, positions) ? together + AS_PHRASE : together;
}

/**
 * Replaces the positions of matches by what the rest of a search needs of them: those of thousands of pages may be
 * hundreds of megabytes.
 */
export function summarizePositions(terms: readonly Term[], matches: readonly Match[]): void {
  for (const match of matches) {
    match.summary = { proximity: proximityOf(terms, match), sections: sectionsOf(match) };
    for (const use of match.uses) if (use) use.stored = [];
  }
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

/** Sorts by score, then by index order. */
export function rankMatches(
  terms: readonly Term[],
  weights: readonly number[],
  matches: readonly Match[],
): Ranked[] {
  const scored = matches.map((match): Ranked => ({
    page: match.page,
    score: scoreOf(terms, weights, match, terms.length > 1 ? proximityOf(terms, match) : 0),
    match,
  }));
  return scored.toSorted((a, b) => b.score - a.score || a.page - b.page);
}
