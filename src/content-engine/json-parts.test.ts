import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinJson, splitJson } from './json-parts.ts';

function join(parts: readonly string[]): { value: unknown; steps: number } {
  const work = joinJson(parts);
  for (let steps = 0; ; steps += 1) {
    const step = work.next();
    if (step.done) return { value: step.value, steps };
  }
}

test('parts make the value again', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 1, max: 12_000 }), (value, times) => {
      const large = { before: value, repeated: Array.from({ length: times }, () => value), after: [value] };
      expect(join(splitJson(large)).value).toEqual(JSON.parse(JSON.stringify(large)));
    }),
    { numRuns: 30 },
  );
});

test('a large value has many parts wherever it is large, and a small one has one', () => {
  expect(splitJson({ a: [1, 2], b: 'x' })).toHaveLength(1);
  const rows = Array.from({ length: 30_000 }, (_, at) => ({ id: `${at}`, cells: [at] }));
  for (const large of [
    rows,
    { nodes: [{ data: { rows } }] },
    Object.fromEntries(rows.map((row) => [row.id, row])),
  ]) {
    const parts = splitJson(large);
    expect(parts.length).toBeGreaterThan(8);
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(500_000);
    expect(join(parts)).toEqual({ value: large, steps: parts.length });
  }
});

test('members keep their order, and names are only names', () => {
  const long = Array.from({ length: 20_000 }, () => 0);
  const value = JSON.parse(
    `{"z":${JSON.stringify(long)},"__proto__":{"polluted":true},"a":1,"length":2}`,
  ) as object;
  const joined = join(splitJson(value)).value as Record<string, unknown>;
  expect(Object.keys(joined)).toEqual(['z', '__proto__', 'a', 'length']);
  expect(joined['polluted']).toBeUndefined();
});
