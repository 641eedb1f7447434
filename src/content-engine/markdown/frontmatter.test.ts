import { describe, expect, test } from 'vitest';
import { cpuTimeRatio } from '../../../test/cpu-time.ts';
import { splitSource } from './source.ts';

const pageWith = (...fields: readonly string[]): string => `---\n${fields.join('\n')}\n---\n\n# Title\n`;

describe('frontmatter of many values', () => {
  test('is read up to a limit for all fields', () => {
    const tags = `tags: [${'a, '.repeat(1500)}a]`;
    const variables = `vars: {${Array.from({ length: 1500 }, (_, n) => `v${n}: 1`).join(', ')}}`;
    const { fields, warnings } = splitSource(pageWith(tags, variables, 'description: Read.'));
    expect(fields.tags).toHaveLength(1501);
    expect([fields.vars, fields.description]).toEqual([undefined, 'Read.']);
    expect(warnings.map(({ message }) => message)).toEqual(['vars: is too long to be read.']);
  });

  test.each([
    ['commas', `vars: [${','.repeat(60_000)}]`],
    ['a list', `tags: [${'a,'.repeat(30_000)}a]`],
    ['lines', `tags:\n${'  - a\n'.repeat(10_000)}`],
    ['tabs', `tags:\n${'\t- a\n'.repeat(10_000)}`],
    [
      'several fields',
      ['vars', 'tags', 'metadata'].map((name) => `${name}: [${'a,'.repeat(9000)}a]`).join('\n'),
    ],
  ])('takes little time: %s', (_what, fields) => {
    const read = (page: string) => () => splitSource(page);
    const usual = pageWith(`tags: [${'a, '.repeat(1500)}a]`);
    expect(cpuTimeRatio(read(pageWith(fields)), read(usual), 4)).toBeLessThan(4);
  });
});
