import { expect, test } from 'vitest';
import { countTurns } from '../../../test/count-turns.ts';
import { flatMapInSlices, inSlices, inTurn } from './slices.ts';

function holdLoop(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
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

test('small tasks of requests that arrive together share one slice', async () => {
  const turns = countTurns();
  const tasks = new Map<number, number>();
  const task = (): void => {
    tasks.set(turns.count, (tasks.get(turns.count) ?? 0) + 1);
    holdLoop(6);
  };
  const ends = Promise.all(Array.from({ length: 20 }, () => inTurn(task)));
  await Promise.all([ends, inSlices((function* () {})())]);
  turns.end();
  expect([...tasks.values()].reduce((sum, each) => sum + each, 0)).toBe(20);
  // Three take more than a slice.
  expect(Math.max(...tasks.values())).toBeLessThanOrEqual(3);
});

test('small tasks run in order; they and slices do not wait for each other', async () => {
  const turns = countTurns();
  const order: number[] = [];
  let isSlicing = true;
  function* work(): Generator<void, number, void> {
    for (let step = 0; step < 10; step++) {
      holdLoop(16);
      yield;
    }
    isSlicing = false;
    return turns.count;
  }
  const sliced = inSlices(work());
  const ends = Array.from({ length: 8 }, (_each, n) =>
    inTurn(() => {
      order.push(n);
      holdLoop(6);
      return { turn: turns.count, isSlicing };
    }),
  );
  const last = (await Promise.all(ends)).at(-1);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  // Eight tasks take eight turns at most, while the ten steps take ten.
  expect(last).toEqual({ turn: expect.any(Number), isSlicing: true });
  expect(await sliced).toBeLessThanOrEqual(12);
  turns.end();
});

test('a task that fails rejects, and its time counts', async () => {
  // Tasks of the test before may have used up this turn.
  await new Promise((resolve) => setImmediate(resolve));
  const turns = countTurns();
  const failing = inTurn(() => {
    holdLoop(20);
    throw new Error('failed');
  });
  await expect(failing).rejects.toThrow('failed');
  const [before, after] = [turns.count, await inTurn(() => turns.count)];
  turns.end();
  expect(after).toBeGreaterThan(before);
});
