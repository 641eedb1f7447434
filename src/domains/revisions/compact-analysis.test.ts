import fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyseBody } from '../../content-engine/markdown/index.ts';
import { compactAnalysis } from './compact-analysis.ts';

test('a compact analysis has the same sections, links and anchors', () => {
  const line = fc.constantFrom(
    '# A',
    '## Ü 😀',
    'text',
    '',
    '[a](a.md#x)',
    '{% include "b.md" %}',
    '```\ncode\n```',
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const analysis = analyseBody(lines.join('\n'));
      const compact = compactAnalysis(analysis);
      const { hrefs, dependencies, anchors, sections } = analysis;
      expect(compact).toMatchObject({ hrefs, dependencies, anchors });
      expect(compact.sections).toEqual(JSON.parse(JSON.stringify(sections)));
    }),
  );
});
