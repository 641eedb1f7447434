import { expect, test } from 'vitest';
import { portionsOf } from './read-portions.ts';

const ids = (count: number) => Array.from({ length: count }, (_each, index) => `id${index}`);

test('a small lookup is one statement', () => {
  const small = { sources: ids(1), rebased: [], names: ids(500), flipped: ids(3) };
  expect([...portionsOf(small)]).toEqual([small]);
  const empty = { sources: [], rebased: [], names: [], flipped: [] };
  expect([...portionsOf(empty)]).toEqual([empty]);
});

test('the lookup of a rename with thousands of pages below it is several statements, and complete', () => {
  const large = { sources: ids(1), rebased: ids(1700), names: ids(3501), flipped: ids(500) };
  const parts = [...portionsOf(large)];
  expect(parts).toHaveLength(8);
  for (const name of ['sources', 'rebased', 'names', 'flipped'] as const) {
    expect(parts.flatMap((part) => part[name])).toEqual(large[name]);
    for (const part of parts) expect(part[name].length).toBeLessThanOrEqual(500);
  }
});
