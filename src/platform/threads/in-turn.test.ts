import { expect, test } from 'vitest';
import { countTurns } from '../../../test/count-turns.ts';
import { inTurn } from './in-turn.ts';

function holdLoop(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('small tasks of requests that arrive together share a turn', async () => {
  const turns = countTurns();
  const tasks = new Map<number, number>();
  const task = (): void => {
    tasks.set(turns.count, (tasks.get(turns.count) ?? 0) + 1);
    holdLoop(6);
  };
  await Promise.all(Array.from({ length: 20 }, () => inTurn(task)));
  turns.end();
  expect([...tasks.values()].reduce((sum, each) => sum + each, 0)).toBe(20);
  // Three take more than the time of a turn.
  expect(Math.max(...tasks.values())).toBeLessThanOrEqual(3);
});

test('small tasks run in their order', async () => {
  const order: number[] = [];
  const run = (n: number) =>
    inTurn(() => {
      order.push(n);
      holdLoop(6);
    });
  await Promise.all(Array.from({ length: 8 }, (_each, n) => run(n)));
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
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
