import { generateKeyBetween } from 'fractional-indexing';
import { expect, test } from 'vitest';
import { MAX_POSITION, shortenPositions } from './shorten-positions.ts';

test('moves into one gap keep keys short and the order as it is, and replace few keys', () => {
  let items = ['a0', 'a1', 'a2', 'a3'].map((position) => ({ id: position, position }));
  let replaced = 0;
  for (let round = 0; round < 5000; round++) {
    // The third item moves between the first two, again and again.
    const [first, second, third, ...rest] = items;
    if (!first || !second || !third) throw new Error('three items are needed');
    const expected = [first.id, third.id, second.id, ...rest.map(({ id }) => id)];
    let position = generateKeyBetween(first.position, second.position);
    if (position.length > MAX_POSITION) {
      const changed = new Map(shortenPositions(items, position).map((item) => [item.id, item]));
      replaced += changed.size;
      items = items.map((item) => changed.get(item.id) ?? item);
      position = generateKeyBetween(items[0]?.position ?? null, items[1]?.position ?? null);
    }
    expect(position.length).toBeLessThanOrEqual(MAX_POSITION);
    items = items
      .map((item) => (item.id === third.id ? { ...item, position } : item))
      .toSorted((a, b) => (a.position < b.position ? -1 : 1));
    expect(items.map(({ id }) => id)).toEqual(expected);
  }
  expect(replaced).toBeGreaterThan(0);
  expect(replaced).toBeLessThan(100);
});
