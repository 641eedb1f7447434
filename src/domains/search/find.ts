import {
  entriesOf,
  hasAll,
  isForgiven,
  lookupsOf,
  matchesOf,
  nearest,
  parseQuery,
  ranked,
  weightsOf,
  wordsLike,
  type Match,
  type Ranked,
  type Term,
} from '../../content-engine/search/index.ts';
import type { Database } from '../../platform/database/connection.ts';
import { findBlocks, listWords, type FoundBlock } from './store.ts';

/** How much of a query a page must have: all of it; all of it but for typos; any of it, but for typos. */
export type Demand = 'all' | 'near' | 'any';

/** What was decided when a list began, and must be the same on each of its pages. */
export interface Reading {
  readonly demand: Demand;
  /** What each term says about a page that has it. */
  readonly weights: readonly number[];
}

export interface Found extends Reading {
  readonly terms: readonly Term[];
  /** The pages of each space that has any, best first. */
  readonly bySpace: ReadonlyMap<string, readonly Ranked[]>;
}

type Matches = ReadonlyMap<string, readonly Match[]>;

export async function find(
  db: Database,
  spaceIds: readonly string[],
  query: string,
  begun: Reading | undefined,
): Promise<Found> {
  const terms = parseQuery(query);
  if (terms.length === 0 || spaceIds.length === 0) return foundBy('all', terms, new Map(), begun);
  if (!begun || begun.demand === 'all') {
    const all = withAll(terms, await matchesIn(db, spaceIds, terms));
    if (begun || all.size > 0) return foundBy('all', terms, all, begun);
  }
  const meant = await withNear(db, spaceIds, terms);
  const any = await matchesIn(db, spaceIds, meant);
  const near = withAll(meant, any);
  const isNear = begun ? begun.demand === 'near' : near.size > 0;
  return isNear ? foundBy('near', meant, near, begun) : foundBy('any', meant, any, begun);
}

function foundBy(
  demand: Demand,
  terms: readonly Term[],
  matches: Matches,
  begun: Reading | undefined,
): Found {
  const weights = begun?.weights ?? weightsOf(terms, [...matches.values()].flat());
  const bySpace = new Map(Array.from(matches, ([id, some]) => [id, ranked(terms, weights, some)] as const));
  return { demand, terms, weights, bySpace };
}

function withAll(terms: readonly Term[], bySpace: Matches): Matches {
  const all = new Map<string, readonly Match[]>();
  for (const [id, matches] of bySpace) {
    const complete = matches.filter((match) => hasAll(match, terms));
    if (complete.length > 0) all.set(id, complete);
  }
  return all;
}

async function matchesIn(
  db: Database,
  spaceIds: readonly string[],
  terms: readonly Term[],
): Promise<Matches> {
  const lookups = lookupsOf(terms);
  const bySpace = new Map<string, FoundBlock[]>();
  for (const block of await findBlocks(db, spaceIds, lookups)) {
    const others = bySpace.get(block.space_id);
    if (others) others.push(block);
    else bySpace.set(block.space_id, [block]);
  }
  const matches = new Map<string, Match[]>();
  for (const [id, blocks] of bySpace) {
    const found = blocks.flatMap(({ lookup: index, entries }) => {
      const lookup = lookups[index];
      return lookup ? [{ lookup, entries: entriesOf(entries) }] : [];
    });
    const inSpace = matchesOf(terms, found, goneIn(blocks));
    if (inSpace.length > 0) matches.set(id, inSpace);
  }
  return matches;
}

function goneIn(blocks: readonly FoundBlock[]): Set<number> {
  const lists = new Set(blocks.map(({ gone }) => gone).filter(Boolean));
  return new Set([...lists].flatMap((list) => list.split(',').map(Number)));
}

/** Each term with the words of these spaces that it may have been meant to be. */
async function withNear(
  db: Database,
  spaceIds: readonly string[],
  terms: readonly Term[],
): Promise<readonly Term[]> {
  const mistyped = terms.flatMap(({ word, isInside }) => (!isInside && isForgiven(word) ? [word] : []));
  if (mistyped.length === 0) return terms;
  const words = wordsLike(mistyped, await listWords(db, spaceIds));
  return terms.map((term) => (term.isInside ? term : { ...term, instead: nearest(term.word, words) }));
}
