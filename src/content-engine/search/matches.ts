import { firstEqual, type Lookup, type LookupBlock } from './lookups.ts';
import { decodePositions, isHeadingAt, sectionAt } from './segments/positions.ts';
import type { Term } from './words/query.ts';
import { bytesOf, eachUse, partKey } from './segments/segment.ts';

/** The occurrences of one term on a page, all matching words together. */
export interface TermUse {
  count: number;
  field: number;
  /** 1: the exact word; less: a longer word with this prefix, a part of an identifier, or a similar word. */
  closeness: number;
  /** Encoded positions, one list for each matching word. Decoded on demand: most pages do not need them. */
  stored: StoredPositions[];
}

interface StoredPositions {
  /** The bytes of the posting list. */
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/** A page with some of the terms. */
export interface Match {
  readonly page: number;
  /** One element per term, in the order of the query. Equal terms have the same object. */
  readonly uses: (TermUse | undefined)[];
  /** Whether the query is the title of the page, or its label in navigation. */
  isTitle: boolean;
  /** What its positions say, if they were dropped. */
  summary?: PositionSummary;
}

export interface PositionSummary {
  /** The part of the score that depends on positions. */
  readonly proximity: number;
  readonly sections: readonly number[];
}

/** The limit for several words together is that for one word. Only words of hostile pages have more. */
const MAX_MERGED = 20_000;

/** Ascending. */
export function positionsOf({ stored }: TermUse): number[] {
  const lists: number[][] = [];
  let count = 0;
  for (const { bytes, from, to } of stored) {
    const positions = decodePositions(bytes, from, to);
    lists.push(positions);
    count += positions.length;
    if (count >= MAX_MERGED) break;
  }
  return lists.length > 1 ? distinctAscending(lists.flat()) : (lists[0] ?? []);
}

/** Typed arrays are sorted natively. */
function distinctAscending(positions: readonly number[]): number[] {
  const distinct: number[] = [];
  let last = -1;
  for (const position of Float64Array.from(positions).toSorted()) {
    if (position !== last) distinct.push(position);
    last = position;
  }
  return distinct;
}

const LONGER = 0.8;
const PART = 0.8;
const NEAR = 0.6;

function closenessOf(lookup: Lookup, term: Term, key: string): number {
  const isPart = key === partKey(lookup.word);
  if (!isPart && !(lookup.isPrefix ? key.startsWith(lookup.word) : key === lookup.word)) return 0;
  if (lookup.word !== term.word) return NEAR;
  return key === term.word ? 1 : isPart ? PART : LONGER;
}

/** The pages of one space with any of the terms. */
export function matchesOf(
  terms: readonly Term[],
  found: Iterable<LookupBlock>,
  deleted: ReadonlySet<number>,
): Match[] {
  const matches = new Map<number, Match>();
  const matchOf = (page: number) => {
    let match = matches.get(page);
    if (!match) matches.set(page, (match = { page, uses: [], isTitle: false }));
    return match;
  };
  for (const { lookup, entries } of found) {
    for (const [key, postings] of entries) {
      if (!lookup.terms) {
        if (key === lookup.word) eachUse(bytesOf(postings), (page) => (matchOf(page).isTitle = true));
        continue;
      }
      for (const index of lookup.terms) {
        const term = terms[index];
        const closeness = term ? closenessOf(lookup, term, key) : 0;
        if (closeness === 0) continue;
        const bytes = bytesOf(postings);
        eachUse(bytes, (page, count, field, from, to) => {
          const { uses } = matchOf(page);
          const stored = { bytes, from, to };
          const use = uses[index];
          if (use) addWord(use, count, field, closeness, stored);
          else uses[index] = { count, field, closeness, stored: [stored] };
        });
      }
    }
  }
  for (const page of deleted) matches.delete(page);
  shareUses(terms, matches.values());
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

/** Terms that are repeated in the query were looked up once. */
function shareUses(terms: readonly Term[], matches: Iterable<Match>): void {
  const first = firstEqual(terms);
  const repeated = first.flatMap((from, to) => (from === to ? [] : [{ from, to }]));
  if (repeated.length === 0) return;
  for (const { uses } of matches) for (const { from, to } of repeated) if (uses[from]) uses[to] = uses[from];
}

export const hasAllTerms = ({ uses }: Match, terms: readonly Term[]): boolean =>
  terms.every((_term, index) => uses[index] !== undefined);

/** Sections of one page: where all of them match, the best are enough to choose by. */
const MAX_SECTIONS = 3;

/** The sections of a page with most of the terms, those with terms in headings first. */
export function sectionsOf({ uses, summary }: Match): readonly number[] {
  if (summary) return summary.sections;
  const sections = new Map<number, { terms: number; inHeading: number }>();
  const termsOf = new Map<TermUse, number>();
  for (const use of uses) if (use) termsOf.set(use, (termsOf.get(use) ?? 0) + 1);
  for (const [use, terms] of termsOf) {
    let last = 0;
    for (const position of positionsOf(use)) {
      const section = sectionAt(position);
      // Positions are ascending: if the section has one in its heading, it is the first.
      if (section === last) continue;
      last = section;
      const has = sections.get(section) ?? { terms: 0, inHeading: 0 };
      has.terms += terms;
      if (isHeadingAt(position)) has.inHeading += terms;
      sections.set(section, has);
    }
  }
  return [...sections]
    .toSorted(([a, has], [b, other]) => other.inHeading - has.inHeading || other.terms - has.terms || a - b)
    .slice(0, MAX_SECTIONS)
    .map(([section]) => section);
}
