import { longestIncreasing } from './longest-increasing.ts';
import type { Lists, Pairs, Range } from './pairs.ts';

/**
 * The anchors of a patience diff: entries that occur once on each side of the range, as many as are in the same order.
 */
export function uniqueAnchors({ one, other }: Lists, range: Range): Pairs {
  const indexes = uniqueIn(one, range.start, range.end);
  const otherIndexes = uniqueIn(other, range.otherStart, range.otherEnd);
  const anchors: Pairs = [];
  for (const [entry, index] of indexes) {
    const partner = otherIndexes.get(entry);
    if (partner !== undefined) anchors.push([index, partner]);
  }
  const inOrder = longestIncreasing(anchors.map(([, index]) => index));
  return inOrder.map((index) => anchors[index] as [number, number]);
}

function uniqueIn(list: Int32Array, start: number, end: number): Map<number, number> {
  const indexes = new Map<number, number>();
  const repeated = new Set<number>();
  for (let index = start; index < end; index++) {
    const entry = list[index] as number;
    if (indexes.has(entry)) repeated.add(entry);
    else indexes.set(entry, index);
  }
  for (const entry of repeated) indexes.delete(entry);
  return indexes;
}
