import type { ComparisonBudget } from './comparison-budget.ts';
import type { Lists, Pairs, Range } from './pairs.ts';

/** Maximum edit distance. Bounds the memory too: half its square in numbers. */
const MAX_EDITS = 2000;

/**
 * Longest common subsequence by the greedy algorithm of Myers (1986), which is linear for few edits. Finds no pairs if
 * there are too many edits, or if the budget ends.
 */
export function shortestEdit(lists: Lists, range: Range, budget: ComparisonBudget, pairs: Pairs): void {
  const rounds = furthestPoints(lists, range, budget);
  if (rounds === undefined) return;
  const found: Pairs = [];
  let [x, y] = [range.end - range.start, range.otherEnd - range.otherStart];
  const followBack = (to: number): void => {
    while (x > to) found.push([range.start + --x, range.otherStart + --y]);
  };
  for (let edits = rounds.length - 1; edits > 0; edits--) {
    const before = rounds[edits - 1] as Int32Array;
    const diagonal = (x - y + edits) / 2;
    followBack(startOf(before, diagonal, edits));
    if (isInsertion(before, diagonal, edits)) y--;
    else x--;
  }
  followBack(0);
  for (const pair of found.toReversed()) pairs.push(pair);
}

/**
 * The furthest point on each diagonal, for each number of edits. A round has one diagonal more than its edits,
 * numbered from the one with insertions only. Undefined: the end is not reached.
 */
function furthestPoints(
  { one, other }: Lists,
  { start, end, otherStart, otherEnd }: Range,
  budget: ComparisonBudget,
): readonly Int32Array[] | undefined {
  const [width, height] = [end - start, otherEnd - otherStart];
  const rounds: Int32Array[] = [];
  for (let edits = 0; edits <= MAX_EDITS; edits++) {
    const reached = new Int32Array(edits + 1);
    const before = rounds.at(-1);
    rounds.push(reached);
    for (let diagonal = 0; diagonal <= edits; diagonal++) {
      const first = before === undefined ? 0 : startOf(before, diagonal, edits);
      let x = first;
      let y = x - (2 * diagonal - edits);
      while (x < width && y < height && one[start + x] === other[otherStart + y]) {
        x++;
        y++;
      }
      reached[diagonal] = x;
      budget.charge(x - first + 1);
      if (budget.left === 0) return undefined;
      if (x >= width && y >= height) return rounds;
    }
  }
  return undefined;
}

/** The start of a diagonal after one more edit: from the neighbour that reached further. */
const startOf = (before: Int32Array, diagonal: number, edits: number): number =>
  isInsertion(before, diagonal, edits) ? (before[diagonal] as number) : (before[diagonal - 1] as number) + 1;

const isInsertion = (before: Int32Array, diagonal: number, edits: number): boolean =>
  diagonal === 0 || (diagonal !== edits && (before[diagonal - 1] as number) < (before[diagonal] as number));
