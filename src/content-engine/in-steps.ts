/** Items that take about a millisecond. */
const ITEMS_PER_STEP = 500;

/** Calls `act` with each item, in steps. */
export function* eachInSteps<T>(items: Iterable<T>, act: (item: T) => void): Generator<void, void, void> {
  let count = 0;
  for (const item of items) {
    act(item);
    if (++count % ITEMS_PER_STEP === 0) yield;
  }
}

/** `items.map(map)`, in steps. */
export function* mapInSteps<T, R>(items: Iterable<T>, map: (item: T) => R): Generator<void, R[], void> {
  const mapped: R[] = [];
  yield* eachInSteps(items, (item) => mapped.push(map(item)));
  return mapped;
}

type Compare<T> = (a: T, b: T) => number;

/** `items.toSorted(compare)`, in steps: parts are sorted by themselves, and then merged. */
export function* sortInSteps<T>(items: readonly T[], compare: Compare<T>): Generator<void, T[], void> {
  let parts: T[][] = [];
  for (let at = 0; at < items.length; at += ITEMS_PER_STEP) {
    if (at > 0) yield;
    parts.push(items.slice(at, at + ITEMS_PER_STEP).toSorted(compare));
  }
  while (parts.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < parts.length; at += 2)
      merged.push(yield* mergeInSteps(parts[at] ?? [], parts[at + 1] ?? [], compare));
    parts = merged;
  }
  return parts[0] ?? [];
}

/** Of equal items, those of `first` come first. */
function* mergeInSteps<T>(
  first: readonly T[],
  second: readonly T[],
  compare: Compare<T>,
): Generator<void, T[], void> {
  const merged: T[] = [];
  let at = 0;
  for (const item of second) {
    for (; at < first.length && compare(first[at] as T, item) <= 0; at++) {
      merged.push(first[at] as T);
      if (merged.length % ITEMS_PER_STEP === 0) yield;
    }
    merged.push(item);
    if (merged.length % ITEMS_PER_STEP === 0) yield;
  }
  return merged.concat(first.slice(at));
}
