import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { readSiteConfiguration } from './site-configuration.ts';

test('directories at any depth, each once, with their lines', () => {
  const text = [
    '# yaml-language-server: $schema=site.json',
    'site:',
    '  structure:',
    '    - type: section-group',
    '      children:',
    '        - { type: section, content: { directory: ./guide/, language: en } }',
    '        - type: section',
    '          content: &shared',
    '            directory: /api',
    '          children:',
    '            - type: space',
    '              content: *shared',
    '            - type: space',
    '              content: { directory: null }',
    '    - type: space',
    '      content:',
    '        directory: project/guide/../guide',
  ];
  expect(readSiteConfiguration(text.join('\n'), 'project')).toEqual({
    directories: [
      { path: 'project/guide', line: 6 },
      { path: 'api', line: 9 },
      { path: 'project/project/guide', line: 17 },
    ],
    problems: [],
  });
});

const anyEntry: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  entry: fc.record(
    {
      type: fc.constantFrom('section', 'section-group', 'space'),
      content: fc.oneof(
        fc.record({ directory: fc.oneof(fc.string(), fc.constant(null), fc.integer()) }),
        fc.jsonValue(),
      ),
      children: fc.oneof({ depthSize: 'small' }, fc.array(tie('entry'), { maxLength: 3 }), fc.jsonValue()),
    },
    { requiredKeys: [] },
  ),
})).entry;

test('any value is read or reported, and no directory leads outside', () => {
  const anySite = fc.oneof(fc.record({ structure: fc.array(anyEntry) }), fc.jsonValue());
  const anyText = fc.oneof(
    fc.string(),
    fc.record({ site: anySite }).map((value) => stringify(value)),
  );
  fc.assert(
    fc.property(anyText, fc.constantFrom('', 'project', 'a/b'), (text, project) => {
      const { directories, problems } = readSiteConfiguration(text, project);
      const lines = text.split('\n').length;
      for (const { path, line } of directories) {
        expect(path.split('/')).not.toContain('..');
        expect(line).toBeLessThanOrEqual(lines);
      }
      for (const { line = 1 } of problems) expect(line).toBeLessThanOrEqual(lines);
      expect(new Set(directories.map(({ path }) => path)).size).toBe(directories.length);
    }),
  );
});
