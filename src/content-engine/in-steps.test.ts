import { expect, test } from 'vitest';
import { mapInSteps } from './in-steps.ts';
import { runToEnd } from './run-to-end.ts';

test('maps all items in their order, 500 in a step', () => {
  const items = Array.from({ length: 5000 }, (_, index) => index);
  expect(runToEnd(mapInSteps(items, (item) => -item))).toEqual(items.map((item) => -item));
  let steps = 0;
  for (const mapping = mapInSteps(items, () => 0); !mapping.next().done;) steps += 1;
  expect(steps).toBe(10);
});
