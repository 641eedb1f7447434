import {
  composed,
  entriesWith,
  hasAllTerms,
  lookupsOf,
  matchesOf,
  nearestWords,
  parseQuery,
  rankMatches,
  summarizePositions,
  titleKey,
  weightsOf,
  type Lookup,
  type Match,
  type Ranked,
  type Term,
} from '../../content-engine/search/index.ts';
import type { Database } from '../../platform/database/connection.ts';
import { inSlices } from '../../platform/threads/slices.ts';
import { findBlocks, listWords, type FoundBlock } from './query-store.ts';

/**
 * The terms that a page must contain: all; all, with identifiers by their parts; all, with typos; any, with
 * typos.
 */
export type Demand = 'all' | 'parts' | 'near' | 'any';

/** Decided when a list begins, and the same on each of its pages. */
export interface Reading {
  readonly demand: Demand;
  /** The weight of each term. */
  readonly weights: readonly number[];
}

export interface Found extends Reading {
  readonly terms: readonly Term[];
  /** The matching pages of each space, best first. */
  readonly bySpace: ReadonlyMap<string, readonly Ranked[]>;
}

type Matches = ReadonlyMap<string, readonly Match[]>;

export async function matchPages(
  db: Database,
  spaceIds: readonly string[],
  query: string,
  begun: Reading | undefined,
): Promise<Found> {
  const whole = parseQuery(query);
  if (whole.length === 0 || spaceIds.length === 0) return foundBy('all', whole, new Map(), begun);
  const mayBe = (demand: Demand) => !begun || begun.demand === demand;
  if (mayBe('all')) {
    const title = titleKey(composed(query));
    const all = await matchesIn(db, spaceIds, whole, { title, withAllTerms: true });
    if (begun || all.size > 0) return foundBy('all', whole, all, begun);
  }
  const terms = parseQuery(query, true);
  const hasParts = terms.some(({ word }, index) => word !== whole[index]?.word);
  if (hasParts && mayBe('parts')) {
    const all = await matchesIn(db, spaceIds, terms, { withAllTerms: true });
    if (begun || all.size > 0) return foundBy('parts', terms, all, begun);
  }
  const meant = await withNear(db, spaceIds, terms);
  const any = await matchesIn(db, spaceIds, meant, { withAllTerms: false });
  const near = withAll(meant, any);
  const isNear = begun ? begun.demand === 'near' : near.size > 0;
  return isNear ? foundBy('near', meant, near, begun) : foundBy('any', meant, any, begun);
}

async function foundBy(
  demand: Demand,
  terms: readonly Term[],
  matches: Matches,
  begun: Reading | undefined,
): Promise<Found> {
  const weights = begun?.weights ?? weightsOf(terms, [...matches.values()].flat());
  const bySpace = new Map<string, readonly Ranked[]>();
  for (const [id, some] of matches) bySpace.set(id, await inSlices(rankMatches(terms, weights, some)));
  return { demand, terms, weights, bySpace };
}

function withAll(terms: readonly Term[], bySpace: Matches): Matches {
  const all = new Map<string, readonly Match[]>();
  for (const [id, matches] of bySpace) {
    const complete = matches.filter((match) => hasAllTerms(match, terms));
    if (complete.length > 0) all.set(id, complete);
  }
  return all;
}

async function matchesIn(
  db: Database,
  spaceIds: readonly string[],
  terms: readonly Term[],
  { title, withAllTerms }: { readonly title?: string | undefined; readonly withAllTerms: boolean },
): Promise<Matches> {
  const lookups = lookupsOf(terms, title);
  const matches = new Map<string, Match[]>();
  for await (const { blocks, isOnly } of findBlocks(db, spaceIds, lookups)) {
    for (const [id, some] of groupBySpace(blocks)) {
      const found = await inSlices(matchesOf(terms, entriesIn(some, lookups), goneIn(some)));
      const wanted = withAllTerms ? found.filter((match) => hasAllTerms(match, terms)) : found;
      // The text of a portion is garbage as soon as no match refers to it.
      if (!isOnly) await inSlices(summarizePositions(terms, wanted));
      const others = matches.get(id);
      if (others) for (const match of wanted) others.push(match);
      else if (wanted.length > 0) matches.set(id, wanted);
    }
  }
  return matches;
}

function groupBySpace(blocks: readonly FoundBlock[]): Map<string, FoundBlock[]> {
  const bySpace = new Map<string, FoundBlock[]>();
  for (const block of blocks) {
    const others = bySpace.get(block.space_id);
    if (others) others.push(block);
    else bySpace.set(block.space_id, [block]);
  }
  return bySpace;
}

/** Split lazily: the list may be long. */
function* entriesIn(blocks: readonly FoundBlock[], lookups: readonly Lookup[]) {
  for (const { lookup: index, form, entries } of blocks) {
    const lookup = lookups[index];
    if (lookup) yield { lookup, form, entries: entriesWith(entries, lookup.word) };
  }
}

function goneIn(blocks: readonly FoundBlock[]): Set<number> {
  const lists = new Set(blocks.map(({ gone }) => gone).filter(Boolean));
  return new Set([...lists].flatMap((list) => list.split(',').map(Number)));
}

/** For each term, the words of these spaces that it may be a typo of. */
async function withNear(
  db: Database,
  spaceIds: readonly string[],
  terms: readonly Term[],
): Promise<readonly Term[]> {
  const words = terms.flatMap(({ word, isSubstring }) => (isSubstring ? [] : [word]));
  if (words.length === 0) return terms;
  const near = await inSlices(nearestWords(words, await listWords(db, spaceIds)));
  return terms.map((term) =>
    term.isSubstring
      ? term
      : { ...term, alternatives: [...term.alternatives, ...(near.get(term.word) ?? [])] },
  );
}
