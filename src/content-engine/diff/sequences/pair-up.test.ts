import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ComparisonBudget } from './comparison-budget.ts';
import { longestCommon } from './longest-common.ts';
import { pairUp } from './pair-up.ts';
import type { Pairs } from './pairs.ts';
import { shortestEdit } from './shortest-edit.ts';

const repetitive = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });
const diverse = fc.array(fc.nat({ max: 40 }).map(String), { maxLength: 30 });
const list = fc.oneof(repetitive, diverse);

function expectPairs(pairs: Pairs, one: readonly string[], other: readonly string[]): void {
  let [a, b] = [-1, -1];
  for (const [nextA, nextB] of pairs) {
    expect(nextA).toBeGreaterThan(a);
    expect(nextB).toBeGreaterThan(b);
    expect(one[nextA]).toBe(other[nextB]);
    [a, b] = [nextA, nextB];
  }
}

/** Deterministic pseudo-random numbers from 0 to 1. */
function random(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

describe('the pairing of two lists', () => {
  test('has equal entries in order, with any budget', () => {
    fc.assert(
      fc.property(list, list, fc.nat({ max: 500 }), (one, other, limit) => {
        expectPairs(pairUp(one, other, new ComparisonBudget(limit)), one, other);
      }),
      { numRuns: 2000 },
    );
  });

  test('finds as many pairs by edits as by the table', () => {
    const numbers = (texts: readonly string[]) =>
      Int32Array.from(texts, (text) => text.charCodeAt(0) * 100 + Number(text));
    fc.assert(
      fc.property(diverse, diverse, (one, other) => {
        const lists = { one: numbers(one), other: numbers(other) };
        const range = { start: 0, end: one.length, otherStart: 0, otherEnd: other.length };
        const [byEdits, byTable]: [Pairs, Pairs] = [[], []];
        shortestEdit(lists, range, new ComparisonBudget(1e6), byEdits);
        longestCommon(lists, range, byTable);
        expectPairs(byEdits, one, other);
        expect(byEdits.length).toBe(byTable.length);
      }),
      { numRuns: 2000 },
    );
  });

  test('without a budget has the common ends and unique entries', () => {
    const one = ['x', 'x', 'y', 'unique', 'y', 'z', 'z'];
    const other = ['x', 'x', 'z', 'unique', 'z', 'y', 'z'];
    expect(pairUp(one, other, new ComparisonBudget(0))).toEqual([
      [0, 0],
      [1, 1],
      [3, 3],
      [6, 6],
    ]);
  });

  test('works in a long list without unique entries and with scattered edits', () => {
    const next = random(3);
    const one = Array.from({ length: 100_000 }, () => `w${Math.floor(next() * 50)}`);
    const other = one.map((word, index) => (index % 500 === 7 ? `${word}!` : word));
    const budget = new ComparisonBudget(10_000_000);
    expect(pairUp(one, other, budget)).toHaveLength(one.length - 200);
    expect(budget.left).toBeGreaterThan(9_000_000);
  });

  test('costs no more than the budget and a linear part', () => {
    const next = random(5);
    const lists: readonly ((length: number) => string[])[] = [
      (length) => Array.from({ length }, () => (next() < 0.5 ? 'a' : 'b')),
      (length) => Array.from({ length }, () => 'same'),
      (length) => Array.from({ length }, (_, index) => `${index}`).toSorted(() => next() - 0.5),
      // One unique entry for every level of the search.
      (length) => Array.from({ length }, (_, index) => `${index < length / 2 ? index : length - index}`),
    ];
    for (const make of lists) {
      for (const length of [1000, 30_000]) {
        const budget = new ComparisonBudget(50_000);
        pairUp(make(length), make(length), budget);
        expect(budget.spent).toBeLessThanOrEqual(50_000 + 3 * 2 * length);
      }
    }
  });
});
