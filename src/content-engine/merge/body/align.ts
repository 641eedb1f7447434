import { addToList } from '../../add-to-list.ts';
import { pairUp, type ComparisonBudget, type Pairs } from '../../diff/index.ts';
import type { SourceBlock } from './source-block.ts';

export interface Alignment {
  /** Block of `before` → block of `after` in the same place, unchanged or edited. Increasing on both sides. */
  readonly pairs: ReadonlyMap<SourceBlock, SourceBlock>;
  /** Block of `before` → the same block in another place. */
  readonly moved: ReadonlyMap<SourceBlock, SourceBlock>;
}

type Blocks = readonly SourceBlock[];

/** Above this many comparisons, blocks are paired by kind alone. */
const MAX_COMPARISONS = 2500;
/** Share of common words from which two blocks count as versions of one block. */
const MIN_SIMILARITY = 0.5;

export function align(before: Blocks, after: Blocks, budget: ComparisonBudget): Alignment {
  const unchanged = pairUp(matchKeys(before), matchKeys(after), budget);
  const moved = findMoved(
    omit(before, new Set(unchanged.map(([index]) => before[index]))),
    omit(after, new Set(unchanged.map(([, index]) => after[index]))),
  );
  const movedFrom = new Set<SourceBlock | undefined>(moved.keys());
  const movedTo = new Set<SourceBlock | undefined>(moved.values());
  const pairs = new Map<SourceBlock, SourceBlock>();
  addPairs(pairs, before, after, unchanged, (oldGap, newGap) => {
    const [oldBlocks, newBlocks] = [omit(oldGap, movedFrom), omit(newGap, movedTo)];
    addPairs(pairs, oldBlocks, newBlocks, pairSimilar(oldBlocks, newBlocks, budget), (oldRest, newRest) => {
      if (oldRest.length === newRest.length)
        oldRest.forEach((block, index) => set(pairs, block, newRest[index]));
    });
  });
  return { pairs, moved };
}

const omit = (blocks: Blocks, omitted: ReadonlySet<SourceBlock | undefined>): Blocks =>
  omitted.size === 0 ? blocks : blocks.filter((block) => !omitted.has(block));

/** Pairs each deletion with an insertion of the same text: the block was moved. */
export function findMoved<T extends { readonly matchKey: string }>(
  deleted: readonly T[],
  inserted: readonly T[],
): Map<T, T> {
  const unpaired = new Map<string, T[]>();
  for (const block of inserted.toReversed()) addToList(unpaired, block.matchKey, block);
  const moved = new Map<T, T>();
  for (const block of deleted) set(moved, block, unpaired.get(block.matchKey)?.pop());
  return moved;
}

/** Pairs each deletion with the most similar insertion of its kind: the block was moved and edited. */
export function findSimilar(
  deleted: Blocks,
  inserted: Blocks,
  budget: ComparisonBudget,
): Map<SourceBlock, SourceBlock> {
  const found = new Map<SourceBlock, SourceBlock>();
  const compared = bagsOf(deleted, inserted, budget);
  if (compared === undefined) return found;
  const bags = new Map(inserted.map((block, index) => [block, compared.after[index]]));
  const candidates = deleted.flatMap((block, index) => {
    const bag = compared.before[index];
    return inserted
      .filter(({ kind }) => kind === block.kind)
      .map((other) => ({ block, other, similarity: similarityOf(bag, bags.get(other)) }));
  });
  const taken = new Set<SourceBlock>();
  for (const { block, other, similarity } of candidates.toSorted((a, b) => b.similarity - a.similarity)) {
    if (similarity < MIN_SIMILARITY || found.has(block) || taken.has(other)) continue;
    found.set(block, other);
    taken.add(other);
  }
  return found;
}

const matchKeys = (blocks: Blocks): string[] => blocks.map(({ matchKey }) => matchKey);

/** Adds the pairs at these indexes, and passes the blocks between them to `onGap`. */
function addPairs(
  pairs: Map<SourceBlock, SourceBlock>,
  before: Blocks,
  after: Blocks,
  indexes: readonly (readonly [number, number])[],
  onGap: (before: Blocks, after: Blocks) => void,
): void {
  let [b, a] = [0, 0];
  for (const [nextB, nextA] of [...indexes, [before.length, after.length] as const]) {
    if (nextB > b && nextA > a) onGap(before.slice(b, nextB), after.slice(a, nextA));
    set(pairs, before[nextB], after[nextA]);
    [b, a] = [nextB + 1, nextA + 1];
  }
}

function set<T>(pairs: Map<T, T>, before: T | undefined, after: T | undefined): void {
  if (before !== undefined && after !== undefined) pairs.set(before, after);
}

/** The pairs, increasing on both sides, with the greatest sum of similarities. */
function pairSimilar(before: Blocks, after: Blocks, budget: ComparisonBudget): Pairs {
  const bags = bagsOf(before, after, budget);
  if (bags === undefined) {
    return pairUp(
      before.map(({ kind }) => kind),
      after.map(({ kind }) => kind),
      budget,
    );
  }
  const { before: rows, after: columns } = bags;
  const width = columns.length + 1;
  const best = new Float64Array((rows.length + 1) * width);
  const similarities = new Float64Array((rows.length + 1) * width);
  for (let row = rows.length - 1; row >= 0; row--) {
    for (let column = columns.length - 1; column >= 0; column--) {
      const at = row * width + column;
      const similarity = similarityOf(rows[row], columns[column]);
      similarities[at] = similarity >= MIN_SIMILARITY ? similarity : 0;
      best[at] = Math.max(
        valueAt(best, at + width),
        valueAt(best, at + 1),
        similarity >= MIN_SIMILARITY ? similarity + valueAt(best, at + width + 1) : 0,
      );
    }
  }
  const pairs: Pairs = [];
  let [row, column] = [0, 0];
  while (row < rows.length && column < columns.length) {
    const at = row * width + column;
    const similarity = valueAt(similarities, at);
    const isBest = similarity > 0 && valueAt(best, at) === similarity + valueAt(best, at + width + 1);
    if (isBest) pairs.push([row++, column++]);
    else if (valueAt(best, at) === valueAt(best, at + width)) row++;
    else column++;
  }
  return pairs;
}

/** Whether two blocks in the same place can be versions of one block. */
export const mayBeSameBlock = (one: SourceBlock, other: SourceBlock): boolean =>
  one.kind === other.kind || isSimilar(one, other);

/** Whether two blocks are versions of one block by their text alone. */
export const isSimilar = (one: SourceBlock, other: SourceBlock): boolean =>
  one.matchKey === other.matchKey || similarityOf(bagOf(one), bagOf(other)) >= MIN_SIMILARITY;

const valueAt = (numbers: Float64Array, index: number): number => numbers[index] ?? 0;

/** Bag of words: how often each word occurs. */
type Bag = ReadonlyMap<string, number>;

/** The bags of all blocks. Undefined: comparing every block of one side with every block of the other costs too much. */
function bagsOf(
  before: Blocks,
  after: Blocks,
  budget: ComparisonBudget,
): { readonly before: readonly Bag[]; readonly after: readonly Bag[] } | undefined {
  if (before.length * after.length > MAX_COMPARISONS) return undefined;
  const bags = { before: before.map(bagOf), after: after.map(bagOf) };
  const words = bags.before.reduce((sum, { size }) => sum + size + 1, 0);
  return budget.take(words * after.length) ? bags : undefined;
}

/** A long block is compared by its first 4000 characters. */
function bagOf({ kind, matchKey }: SourceBlock): Bag {
  const bag = new Map<string, number>();
  const start = matchKey.slice(0, 4000);
  // Every row of a table has pipes.
  const words = kind === 'table-row' ? start.replaceAll('|', ' ').trim() : start;
  for (const word of words.split(/\s+/)) bag.set(word, (bag.get(word) ?? 0) + 1);
  return bag;
}

/** Dice coefficient: from 0, nothing in common, to 1. */
function similarityOf(a: Bag | undefined, b: Bag | undefined): number {
  if (a === undefined || b === undefined) return 0;
  let common = 0;
  for (const [word, count] of a) common += Math.min(count, b.get(word) ?? 0);
  return (2 * common) / (sumOf(a) + sumOf(b));
}

function sumOf(bag: Bag): number {
  let sum = 0;
  for (const count of bag.values()) sum += count;
  return sum;
}
