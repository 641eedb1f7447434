import { addToList } from '../../content-engine/add-to-list.ts';
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
import type { Context } from '../../platform/api/context.ts';
import { requireSmall } from '../../platform/api/too-large-here.ts';
import { findBlocks, listWords, pageIdsOf, type FoundBlock } from './query-store.ts';

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
  /** The key that the title of a page has if it is the query; undefined where that does not count. */
  readonly title: string | undefined;
  /** The matching pages of each space, best first. */
  readonly bySpace: ReadonlyMap<string, readonly Ranked[]>;
}

/** What a caller may find. */
export interface Searched {
  readonly spaceIds: readonly string[];
  /** Which pages of a space; undefined: all of them. The others count for nothing. */
  readonly findableIn?: (spaceId: string) => Promise<((pageId: string) => boolean) | undefined>;
}

export type SearchContext = Pick<Context, 'db' | 'isFront'>;

type Matches = ReadonlyMap<string, readonly Match[]>;

/** The first demand that some page meets. */
export async function matchPages(
  ctx: SearchContext,
  searched: Searched,
  query: string,
  begun: Reading | undefined,
): Promise<Found> {
  let last: Found = { demand: 'all', weights: [], terms: [], title: undefined, bySpace: new Map() };
  for await (const found of eachDemand(ctx, searched, query, begun)) {
    last = found;
    if (found.bySpace.size > 0) break;
  }
  return last;
}

/** What meets each demand, the strictest first. Later ones are read on demand. A list that has begun keeps its own. */
export async function* eachDemand(
  ctx: SearchContext,
  searched: Searched,
  query: string,
  begun: Reading | undefined,
): AsyncGenerator<Found, void, void> {
  const whole = parseQuery(query);
  if (whole.length === 0 || searched.spaceIds.length === 0) return;
  const mayBe = (demand: Demand) => !begun || begun.demand === demand;
  if (mayBe('all')) {
    const title = titleKey(composed(query));
    const all = await matchesIn(ctx, searched, whole, { title, withAllTerms: true });
    yield foundBy({ demand: 'all', terms: whole, title }, all, begun);
  }
  const terms = parseQuery(query, true);
  const hasParts = terms.some(({ word }, index) => word !== whole[index]?.word);
  if (hasParts && mayBe('parts')) {
    const all = await matchesIn(ctx, searched, terms, { withAllTerms: true });
    yield foundBy({ demand: 'parts', terms, title: undefined }, all, begun);
  }
  if (!mayBe('near') && !mayBe('any')) return;
  const meant = await withNear(ctx, searched, terms);
  const any = await matchesIn(ctx, searched, meant, { withAllTerms: false });
  const sought = { terms: meant, title: undefined };
  if (mayBe('near')) yield foundBy({ demand: 'near', ...sought }, withAll(meant, any), begun);
  if (mayBe('any')) yield foundBy({ demand: 'any', ...sought }, any, begun);
}

function foundBy(
  sought: Pick<Found, 'demand' | 'terms' | 'title'>,
  matches: Matches,
  begun: Reading | undefined,
): Found {
  const { demand, terms } = sought;
  const weights =
    begun?.weights ??
    // Where every page has every term, they would be equal.
    (demand === 'any' ? weightsOf(terms, [...matches.values()].flat()) : terms.map(() => 1));
  const bySpace = new Map(
    Array.from(matches, ([id, some]) => [id, rankMatches(terms, weights, some)] as const),
  );
  return { ...sought, weights, bySpace };
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
  ctx: SearchContext,
  searched: Searched,
  terms: readonly Term[],
  { title, withAllTerms }: { readonly title?: string | undefined; readonly withAllTerms: boolean },
): Promise<Matches> {
  const lookups = lookupsOf(terms, title);
  const matches = new Map<string, Match[]>();
  for await (const { blocks, isOnly } of findBlocks(ctx.db, searched.spaceIds, lookups)) {
    const portion = new Map<string, readonly Match[]>();
    const read = Array.from(groupBySpace(blocks), ([id, some]) => ({
      id,
      entries: entriesIn(some, lookups),
      gone: goneIn(some),
    }));
    requireSmall(ctx, 'text', isOnly ? postingsIn(read.flatMap(({ entries }) => entries)) : Infinity);
    for (const { id, entries, gone } of read) {
      const found = matchesOf(terms, entries, gone);
      portion.set(id, withAllTerms ? found.filter((match) => hasAllTerms(match, terms)) : found);
    }
    for (const [id, wanted] of await findable(ctx, searched, portion)) {
      // The text of a portion is garbage as soon as no match refers to it.
      if (!isOnly) summarizePositions(terms, wanted);
      const others = matches.get(id);
      if (others) for (const match of wanted) others.push(match);
      else if (wanted.length > 0) matches.set(id, [...wanted]);
    }
  }
  return matches;
}

/** Removes the pages that the caller may not find, and those that were replaced in the meantime. */
async function findable({ db }: SearchContext, { findableIn }: Searched, matches: Matches): Promise<Matches> {
  if (!findableIn) return matches;
  const isFindable = new Map<string, (pageId: string) => boolean>();
  for (const [id, some] of matches) {
    const isListed = some.length > 0 ? await findableIn(id) : undefined;
    if (isListed) isFindable.set(id, isListed);
  }
  if (isFindable.size === 0) return matches;
  const asked = [...isFindable.keys()].flatMap((spaceId) =>
    (matches.get(spaceId) ?? []).map(({ page }) => ({ spaceId, page })),
  );
  const found = new Map([...isFindable.keys()].map((id) => [id, new Set<number>()]));
  for (const { space_id: id, number, page_id: pageId } of await pageIdsOf(db, asked))
    if (isFindable.get(id)?.(pageId)) found.get(id)?.add(number);
  return new Map(
    Array.from(matches, ([id, some]) => {
      const numbers = found.get(id);
      return [id, numbers ? some.filter(({ page }) => numbers.has(page)) : some];
    }),
  );
}

function groupBySpace(blocks: readonly FoundBlock[]): Map<string, FoundBlock[]> {
  const bySpace = new Map<string, FoundBlock[]>();
  for (const block of blocks) {
    addToList(bySpace, block.space_id, block);
  }
  return bySpace;
}

const entriesIn = (blocks: readonly FoundBlock[], lookups: readonly Lookup[]) =>
  blocks.flatMap(({ lookup: index, entries }) => {
    const lookup = lookups[index];
    return lookup ? [{ lookup, entries: entriesWith(entries, lookup.word) }] : [];
  });

function goneIn(blocks: readonly FoundBlock[]): Set<number> {
  const lists = new Set(blocks.map(({ gone }) => gone).filter(Boolean));
  return new Set([...lists].flatMap((list) => list.split(',').map(Number)));
}

/** Characters of the posting lists that match. */
function postingsIn(blocks: ReturnType<typeof entriesIn>): number {
  let characters = 0;
  for (const { entries } of blocks) for (const [, postings] of entries) characters += postings.length;
  return characters;
}

/** Words are compared with those of a query in a fifth of the time that parsing them takes. */
const COST_OF_COMPARING = 0.2;

/** Adds to each term the words of the pages that it may be a typo of. */
async function withNear(
  ctx: SearchContext,
  searched: Searched,
  terms: readonly Term[],
): Promise<readonly Term[]> {
  const words = terms.flatMap(({ word, isSubstring }) => (isSubstring ? [] : [word]));
  if (words.length === 0) return terms;
  const lists = await listWords(ctx.db, searched.spaceIds);
  const characters = lists.reduce((sum, { length }) => sum + length, 0);
  requireSmall(ctx, 'text', COST_OF_COMPARING * characters);
  const near = searched.findableIn
    ? await findableWords(ctx, searched, nearestWords(words, lists, { withSpares: true }))
    : nearestWords(words, lists);
  return terms.map((term) =>
    term.isSubstring
      ? term
      : { ...term, alternatives: [...term.alternatives, ...(near.get(term.word) ?? [])] },
  );
}

/** The lists of words contain those of all pages: only words of a page that the caller may find are suggested. */
async function findableWords(
  ctx: SearchContext,
  searched: Searched,
  near: ReadonlyMap<string, readonly string[]>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const candidates = [...new Set([...near.values()].flat())];
  const terms = candidates.map((word): Term => ({
    word,
    isPrefix: false,
    isSubstring: false,
    place: 0,
    alternatives: [],
  }));
  const known = new Set<string>();
  for (const matches of (await matchesIn(ctx, searched, terms, { withAllTerms: false })).values())
    for (const { uses } of matches)
      for (const [index, word] of candidates.entries()) if (uses[index]) known.add(word);
  return new Map(
    Array.from(near, ([word, candidates]) => [word, candidates.filter((each) => known.has(each))]),
  );
}
