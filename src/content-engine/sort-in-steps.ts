/** Length of a run that is sorted without yielding. */
const RUN = 4096;

/** Merge sort like `toSorted` that yields every few thousand comparisons. `sortRun` may be a faster way to the order. */
export function* sortInSteps<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  sortRun = (run: readonly T[]): T[] => run.toSorted(compare),
): Generator<void, T[], void> {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += RUN) {
    runs.push(sortRun(items.slice(at, at + RUN)));
    yield;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(yield* mergeInSteps(runs[at] ?? [], runs[at + 1] ?? [], compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergeInSteps<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
): Generator<void, T[], void> {
  const merged: T[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const takesLeft = j >= right.length || (i < left.length && compare(left[i] as T, right[j] as T) <= 0);
    merged.push((takesLeft ? left[i++] : right[j++]) as T);
    if (merged.length % RUN === 0) yield;
  }
  return merged;
}
