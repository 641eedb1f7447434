import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allocatePosition, positionsFor } from './position-keys.ts';

/** Inserts one into a list of positions, as the tree does. */
function insertAt(list: readonly string[], at: number): { list: string[]; moved: number } {
  const { position, rekeyed } = allocatePosition(list.length, (index) => list[index] ?? '', at);
  const next = list.map((old, index) => rekeyed.get(index) ?? old);
  next.splice(Math.min(at, list.length), 0, position);
  return { list: next, moved: rekeyed.size };
}

const isOrdered = (list: readonly string[]) =>
  list.every((one, index) => index === 0 || (list[index - 1] ?? '') < one);

describe('a position key', () => {
  test('sorts at the requested index, after any history', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 200 }), { maxLength: 150 }), (ats) => {
        let list: string[] = [];
        for (const at of ats) ({ list } = insertAt(list, at));
        expect(isOrdered(list)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  test('exists between siblings with equal or invalid keys', () => {
    for (const list of [
      ['a1', 'a1', 'a1'],
      ['a0', 'a1', 'a1', 'a2'],
      ['zzz!', 'not a key', ''],
    ]) {
      const { list: next } = insertAt(list, 2);
      expect(next).toHaveLength(list.length + 1);
      expect(isOrdered(next.slice(1, 4))).toBe(true);
    }
  });

  test('stays short after thousands of insertions at one index, with few rekeyed neighbours', () => {
    for (const at of [0, 1, 50, 10_000]) {
      let list = positionsFor(100);
      let moves = 0;
      for (let i = 0; i < 3000; i++) {
        const result = insertAt(list, at);
        moves += result.moved;
        list = result.list;
      }
      expect(isOrdered(list)).toBe(true);
      expect(Math.max(...list.map(({ length }) => length))).toBeLessThanOrEqual(64);
      expect(moves).toBeLessThan(3000 * 3);
    }
  });
});
