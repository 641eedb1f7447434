import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mapInSteps, sortInSteps } from './in-steps.ts';
import { runToEnd } from './run-to-end.ts';

const byFirst = ([a = 0]: readonly number[], [b = 0]: readonly number[]): number => a - b;

test('sorts as toSorted does, equal items in their order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(99), { maxLength: 3000, size: 'max' }), (numbers) => {
      const items = numbers.map((number, index) => [number, index]);
      expect(runToEnd(sortInSteps(items, byFirst))).toEqual(items.toSorted(byFirst));
    }),
    { numRuns: 50, seed: 1 },
  );
});

test('the steps are small, whatever the number of items', () => {
  const calls: number[] = [];
  let count = 0;
  const work = sortInSteps(
    Array.from({ length: 20_000 }, (_, index) => (index * 7919) % 20_011),
    (a, b) => {
      count += 1;
      return a - b;
    },
  );
  while (!work.next().done) {
    calls.push(count);
    count = 0;
  }
  expect(Math.max(...calls)).toBeLessThan(10_000);
  let steps = 0;
  for (const mapping = mapInSteps(Array.from({ length: 5000 }), () => 0); !mapping.next().done;) steps += 1;
  expect(steps).toBe(10);
});
