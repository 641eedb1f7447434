import { describe, expect, test } from 'vitest';
import { cpuTimeRatio } from '../../test/cpu-time.ts';
import { readYaml } from './yaml.ts';

const MAX_MARKS = 6000;

describe('a YAML file', () => {
  const redirects = (count: number): string =>
    `redirects:\n${Array.from({ length: count }, (_, n) => `  old/path-${n}: new/path-${n}.md\n`).join('')}`;

  test('may have thousands of lines', () => {
    expect(readYaml(redirects(2900), MAX_MARKS)).toMatchObject({
      value: { redirects: { 'old/path-2899': 'new/path-2899.md' } },
    });
  });

  test.each([
    ['redirects', redirects(3100)],
    ['values', `[${'1,'.repeat(100_000)}1]`],
    ['brackets', ']'.repeat(200_000)],
    ['quotes', '"'.repeat(200_000)],
    ['tags', '- !a b\n'.repeat(30_000)],
    ['empty lines', '\n'.repeat(200_000)],
  ])('of too many %s is not parsed', (_what, text) => {
    const parse = (yaml: string) => () => readYaml(yaml, MAX_MARKS);
    expect(readYaml(text, MAX_MARKS)).toEqual({ fault: 'too long to be read' });
    expect(cpuTimeRatio(parse(text), parse(redirects(1000)), 2)).toBeLessThan(2);
  });
});
