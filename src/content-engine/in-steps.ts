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
