import { analyse } from 'scslre';
import { expect, test } from 'vitest';
import { operations } from '../src/domains/index.ts';

/** All patterns of a schema. The linter checks regular expressions, but not those in strings. */
function patternsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { pattern, patternProperties = {} } = schema as { pattern?: unknown; patternProperties?: object };
  return [
    ...(typeof pattern === 'string' ? [pattern] : []),
    ...Object.keys(patternProperties),
    ...Object.values(schema).flatMap(patternsOf),
  ];
}

const isLinear = (pattern: string): boolean => analyse(new RegExp(pattern, 'u')).reports.length === 0;

test('patterns of requests are matched in linear time', () => {
  const patterns = new Set(
    operations.flatMap(({ params, query, body }) => [params, query, body].flatMap(patternsOf)),
  );
  expect(patterns.size).toBeGreaterThan(10);
  expect([...patterns].filter((pattern) => !isLinear(pattern))).toEqual([]);
  expect(isLinear('^a[^ ]+@[^ ]*$')).toBe(false);
});
