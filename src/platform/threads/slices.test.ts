import { expect, test } from 'vitest';
import { flatMapInSlices, inSlices } from './slices.ts';

function holdLoop(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** Counts the turns of the event loop until `end`. */
function countTurns() {
  const turns = { count: 0, end: () => clearImmediate(next) };
  const countOne = (): void => {
    turns.count++;
    next = setImmediate(countOne);
  };
  let next = setImmediate(countOne);
  return turns;
}

test('one slice runs per turn of the event loop, however many works there are', async () => {
  const turns = countTurns();
  const slices = new Map<number, number>();
  function* work(): Generator<void, void, void> {
    for (let step = 0; step < 3; step++) {
      slices.set(turns.count, (slices.get(turns.count) ?? 0) + 1);
      holdLoop(20);
      yield;
    }
  }
  // Requests arrive one after another, not in one turn.
  const works: Promise<void>[] = [];
  for (let index = 0; index < 6; index++) {
    works.push(inSlices(work()));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(works);
  turns.end();
  expect([...slices.values()].reduce((sum, each) => sum + each, 0)).toBe(18);
  expect(Math.max(...slices.values())).toBeLessThanOrEqual(2);
});

test('many items are mapped in several turns of the event loop, few in one', async () => {
  const turnsFor = async (count: number): Promise<number> => {
    const turns = countTurns();
    const items = Array.from({ length: count }, (_each, n) => n);
    const mapped = await flatMapInSlices(items, (n) => {
      holdLoop(0.2);
      return n % 2 === 0 ? [n, n] : [];
    });
    turns.end();
    expect(mapped).toEqual(items.flatMap((n) => (n % 2 === 0 ? [n, n] : [])));
    return turns.count;
  };
  expect(await turnsFor(150)).toBe(0);
  expect(await turnsFor(1000)).toBeGreaterThan(3);
});
