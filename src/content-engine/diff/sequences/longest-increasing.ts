/** Indexes of a longest strictly increasing subsequence, in order. Patience sorting: n log n steps. */
export function longestIncreasing(values: readonly number[]): number[] {
  // ends[n]: the index with the lowest value that a subsequence of length n + 1 can end with.
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [index, value] of values.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] as number] as number) < value) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? (ends[low - 1] as number) : -1;
    ends[low] = index;
  }
  const indexes: number[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] as number) indexes.push(index);
  return indexes.toReversed();
}

/** The items to remove so that the others are in the same order as in `before`. As few as possible. */
export function outOfOrder(before: readonly string[], items: readonly string[]): string[] {
  const places = new Map(before.map((item, index) => [item, index]));
  const inOrder = new Set(longestIncreasing(items.map((item) => places.get(item) ?? 0)));
  return items.filter((_, index) => !inOrder.has(index));
}
