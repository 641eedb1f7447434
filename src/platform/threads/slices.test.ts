import { expect, test } from 'vitest';
import { inSlices } from './slices.ts';

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
