import type { ComparisonBudget } from './comparison-budget.ts';
import { longestCommon } from './longest-common.ts';
import { cellsOf, sizeOf, type Lists, type Pairs, type Range } from './pairs.ts';
import { shortestEdit } from './shortest-edit.ts';
import { uniqueAnchors } from './unique-anchors.ts';

/** Above this size of the table, unique entries are paired first. */
const MAX_CELLS = 1_000_000;
/** Recursion limit of the patience diff. */
const MAX_DEPTH = 20;

/**
 * Pairs the equal entries of two lists, increasing on both sides. Small lists are compared exactly; large ones by
 * patience diff, recursively, while the budget lasts. Without budget the comparison is linear: common prefix and
 * suffix, and the unique entries between them.
 */
export function pairUp(one: readonly string[], other: readonly string[], budget: ComparisonBudget): Pairs {
  budget.charge(one.length + other.length);
  const pairs: Pairs = [];
  const whole = { start: 0, end: one.length, otherStart: 0, otherEnd: other.length };
  trimCommonEnds({ one, other }, whole, pairs, (range) => {
    pairRange(numbered(one, other, range), range, budget, pairs, 0);
  });
  return pairs;
}

function pairRange(lists: Lists, range: Range, budget: ComparisonBudget, pairs: Pairs, depth: number): void {
  const cells = cellsOf(range);
  if (cells <= MAX_CELLS && budget.take(cells)) {
    longestCommon(lists, range, pairs);
    return;
  }
  if (depth === 0) budget.charge(sizeOf(range));
  else if (!budget.take(sizeOf(range))) return;
  const anchors = depth < MAX_DEPTH ? uniqueAnchors(lists, range) : [];
  if (anchors.length === 0) {
    shortestEdit(lists, range, budget, pairs);
    return;
  }
  let [start, otherStart] = [range.start, range.otherStart];
  for (const [end, otherEnd] of [...anchors, [range.end, range.otherEnd] as const]) {
    trimCommonEnds(lists, { start, end, otherStart, otherEnd }, pairs, (gap) => {
      pairRange(lists, gap, budget, pairs, depth + 1);
    });
    if (end < range.end) pairs.push([end, otherEnd]);
    [start, otherStart] = [end + 1, otherEnd + 1];
  }
}

/** Pairs the common prefix and suffix. `pairMiddle` gets the rest. */
function trimCommonEnds(
  { one, other }: { readonly one: ArrayLike<unknown>; readonly other: ArrayLike<unknown> },
  range: Range,
  pairs: Pairs,
  pairMiddle: (range: Range) => void,
): void {
  let { start, end, otherStart, otherEnd } = range;
  while (start < end && otherStart < otherEnd && one[start] === other[otherStart])
    pairs.push([start++, otherStart++]);
  while (start < end && otherStart < otherEnd && one[end - 1] === other[otherEnd - 1]) {
    end--;
    otherEnd--;
  }
  if (start < end && otherStart < otherEnd) pairMiddle({ start, end, otherStart, otherEnd });
  while (end < range.end) pairs.push([end++, otherEnd++]);
}

/** Replaces the entries of a range by numbers. */
function numbered(one: readonly string[], other: readonly string[], range: Range): Lists {
  const numbers = new Map<string, number>();
  const number = (list: readonly string[], start: number, end: number): Int32Array => {
    const result = new Int32Array(list.length);
    for (let index = start; index < end; index++) {
      const entry = list[index] as string;
      const known = numbers.get(entry);
      result[index] = known ?? numbers.size;
      if (known === undefined) numbers.set(entry, numbers.size);
    }
    return result;
  };
  return {
    one: number(one, range.start, range.end),
    other: number(other, range.otherStart, range.otherEnd),
  };
}
