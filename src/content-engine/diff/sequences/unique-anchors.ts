import type { Lists, Pairs, Range } from './pairs.ts';

/** Entries that occur once on each side of the range, as many as have the same order: the anchors of a patience diff. */
export function uniqueAnchors({ one, other }: Lists, range: Range): Pairs {
  const indexes = uniqueIn(one, range.start, range.end);
  const otherIndexes = uniqueIn(other, range.otherStart, range.otherEnd);
  const anchors: Pairs = [];
  for (const [entry, index] of indexes) {
    const partner = otherIndexes.get(entry);
    if (partner !== undefined) anchors.push([index, partner]);
  }
  return longestIncreasing(anchors);
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

/** The longest subsequence of pairs that increases on the second side too. */
function longestIncreasing(pairs: Pairs): Pairs {
  const ends: number[] = [];
  const previous: number[] = [];
  pairs.forEach(([, value], index) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] as number] as [number, number])[1] < value) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? (ends[low - 1] as number) : -1;
    ends[low] = index;
  });
  const found: Pairs = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] as number) {
    found.push(pairs[index] as [number, number]);
  }
  return found.toReversed();
}
