import { describe, expect, test } from 'vitest';
import { createCache } from './cache.ts';
import { estimateSize } from './row-size.ts';

const MAX_BYTES = 1_000_000;
const newCache = () => createCache({ maxEntries: 1000, maxBytes: MAX_BYTES, isUsable: () => true });

/** How many of so many rows remain. */
function remaining(count: number, row: (index: number) => object): number {
  const cache = newCache();
  for (let index = 0; index < count; index++)
    cache.put(`row ${index}`, cache.begin() ?? 0, [`space:${index}`], row(index));
  return Array.from({ length: count }, (_each, index) => cache.get(`row ${index}`)).filter(Boolean).length;
}

const users = Array.from({ length: 1000 }, () => 'x'.repeat(20));

describe('cached rows', () => {
  test('are limited in number where they are small', () => {
    expect(remaining(1000, (index) => ({ id: `${index}`, createdAt: new Date(index) }))).toBe(1000);
    expect(remaining(1100, (index) => ({ id: `${index}` }))).toBe(1000);
  });

  test('are limited in bytes where they are large', () => {
    const kept = remaining(100, (index) => ({ id: index, rules: [{ users }] }));
    expect(kept).toBeGreaterThan(5);
    expect(kept).toBeLessThan(MAX_BYTES / 20_000);
  });

  test('are not kept if one alone would displace most others', () => {
    expect(remaining(1, () => ({ text: 'x'.repeat(MAX_BYTES / 4) }))).toBe(0);
  });
});

test('the size of a value is that of its texts and members', () => {
  const size = (value: unknown): number => estimateSize(value, MAX_BYTES);
  expect(size('x'.repeat(10_000))).toBeGreaterThanOrEqual(10_000);
  expect(size({ a: [new Map([['b', Buffer.alloc(20_000)]])] })).toBeGreaterThanOrEqual(20_000);
  expect(size(new Set(users.map((user, index) => user + index)))).toBeGreaterThanOrEqual(20_000);
  expect(size([null, undefined, 1, true, new Date()])).toBeLessThan(500);
});
