import fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyseBody } from '../../content-engine/markdown/index.ts';
import { CollectedAnalyses } from './collected-analyses.ts';

const LONG = analyseBody('x'.repeat(9_000_000));

test.each([
  ['a small import', []],
  ['an import of many bodies, which are compressed,', [LONG]],
])('the analyses of %s have the same sections, links and anchors', (_name, before) => {
  const line = fc.constantFrom(
    '# A',
    '## Ü 😀',
    'text',
    '',
    '[a](a.md#x)',
    '{% include "b.md" %}',
    '```\ncode\n```',
  );
  const analyses = new CollectedAnalyses();
  analyses.add('first', analyseBody('# First'));
  for (const analysis of before) analyses.add('before', analysis);
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const analysis = analyseBody(lines.join('\n'));
      analyses.delete('document');
      analyses.add('document', analysis);
      const { hrefs, dependencies, anchors, sections } = analysis;
      const collected = analyses.get('document');
      expect(collected === analysis).toBe(before.length === 0);
      expect(analyses.get('first')?.sections[0]?.title).toBe('First');
      expect(collected).toMatchObject({ hrefs, dependencies, anchors });
      expect(collected?.sections).toEqual(JSON.parse(JSON.stringify(sections)));
    }),
  );
});
