import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runToEnd } from './run-to-end.ts';
import { sortInSteps } from './sort-in-steps.ts';

test('sorts as `toSorted` does, equal items in their order', () => {
  const byFirst = ([a = 0]: readonly number[], [b = 0]: readonly number[]): number => a - b;
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 50 })), (some) => {
      const numbers = Array.from({ length: 300 }, (_each, n) => some.map((one) => one + n)).flat();
      const items = numbers.map((number, index) => [number, index]);
      expect(runToEnd(sortInSteps(items, byFirst))).toEqual(items.toSorted(byFirst));
    }),
    { numRuns: 20, seed: 1 },
  );
});
