import { expect, test } from 'vitest';
import { flatMapInSlices, inSlices } from './slices.ts';

function holdLoop(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('one slice runs per turn of the event loop, however many works there are', async () => {
  let turn = 0;
  let isCounting = true;
  const count = (): void => {
    turn++;
    if (isCounting) setImmediate(count);
  };
  setImmediate(count);
  const slices = new Map<number, number>();
  function* work(): Generator<void, void, void> {
    for (let step = 0; step < 3; step++) {
      slices.set(turn, (slices.get(turn) ?? 0) + 1);
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
  isCounting = false;
  expect([...slices.values()].reduce((sum, each) => sum + each, 0)).toBe(18);
  expect(Math.max(...slices.values())).toBeLessThanOrEqual(2);
});

test('many items are mapped in several turns of the event loop, few in one', async () => {
  const turnsFor = async (count: number): Promise<number> => {
    let turns = 0;
    let isCounting = true;
    const countTurn = (): void => {
      turns++;
      if (isCounting) setImmediate(countTurn);
    };
    setImmediate(countTurn);
    const items = Array.from({ length: count }, (_each, n) => n);
    const mapped = await flatMapInSlices(items, (n) => {
      holdLoop(0.2);
      return n % 2 === 0 ? [n, n] : [];
    });
    isCounting = false;
    expect(mapped).toEqual(items.flatMap((n) => (n % 2 === 0 ? [n, n] : [])));
    return turns;
  };
  expect(await turnsFor(150)).toBe(0);
  expect(await turnsFor(1000)).toBeGreaterThan(3);
});
