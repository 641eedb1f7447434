import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDocument, problemIn, toMarkdown } from './index.ts';

describe('a document that was sent', () => {
  test('is one, if the engine made it', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(
          problemIn(parseDocument(`${text}\n\n> quote\n\n| a |\n|---|\n| b |\n\n[^1] x\n\n[^1]: y`)),
        ).toBe(undefined);
      }),
      { seed: 7, numRuns: 200 },
    );
  });

  test('that is built as one can be written, whatever it says', () => {
    const { node } = fc.letrec((tie) => ({
      node: fc.record(
        {
          object: fc.constantFrom('block', 'inline', 'text', 'leaf', 'fragment', 'document'),
          type: fc.constantFrom(
            'paragraph',
            'heading-1',
            'list-ordered',
            'table',
            'tabs',
            'code',
            'link',
            'image',
            'hint',
            '?',
          ),
          data: fc.oneof(fc.jsonValue(), fc.constant({ style: 'info' })),
          nodes: fc.oneof({ depthSize: 'small' }, fc.jsonValue(), fc.array(tie('node'), { maxLength: 3 })),
          fragments: fc.oneof(
            { depthSize: 'small' },
            fc.jsonValue(),
            fc.array(tie('node'), { maxLength: 2 }),
          ),
          leaves: fc.array(
            fc.record({ object: fc.constant('leaf'), text: fc.string(), marks: fc.constant([]) }),
            { maxLength: 2 },
          ),
        },
        { requiredKeys: ['object', 'type'] },
      ),
    }));
    let good = 0;
    fc.assert(
      fc.property(fc.array(node, { maxLength: 3 }), (nodes) => {
        const document = { object: 'document', data: {}, nodes };
        if (problemIn(document) !== undefined) return;
        good++;
        expect(typeof toMarkdown(document as never)).toBe('string');
      }),
      { seed: 7, numRuns: 5000 },
    );
    expect(good).toBeGreaterThan(100);
  });
});
