import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeText, withInserted } from './merge-text.ts';

describe('a merged text', () => {
  it.each([
    ['keeps a spelling', '_a_ b', '*a*  b', '_a_ c', '*a*  c'],
    ['keeps it around the edited word', '_a_ b', '*a* b', '_c_ b', '*c* b'],
    ['keeps insertions', 'a b', 'a <!-- x --> b', 'a c', 'a <!-- x --> c'],
    ['keeps it when everything around it changed', 'a b c d', 'a b<!-- x --> c d', 'e', 'e<!-- x -->'],
    ['has equal changes once', 'a b', 'a c', 'a c', 'a c'],
    ['takes the edit if both changed a word', 'a b c', 'a x c', 'a y c', 'a y c'],
    ['puts the edit before an insertion at the same place', '## T', '## T ##', '## T U', '## T U ##'],
    ['keeps attributes', '<i a="1">', '<i x a="1">', '<i a="2">', '<i x a="2">'],
    ['keeps lines', 'a\nb\nc', 'A\nb\nc', 'a\nb\nd', 'A\nb\nd'],
  ])('%s', (_name, ancestor, source, written, expected) => {
    expect(mergeText({ ancestor, source, written })).toBe(expected);
  });

  const text = fc
    .array(
      fc.constantFrom('a', 'b', ' ', '\n', '*', '<b>', '</td>', '<!-- c -->', '&amp;', '\\*', '\ud83c'),
      {
        maxLength: 12,
      },
    )
    .map((parts) => parts.join(''));

  it('is the source if nothing was edited, and the edit if the spelling is ours', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(mergeText({ ancestor: one, source: other, written: one })).toBe(other);
        expect(mergeText({ ancestor: one, source: one, written: other })).toBe(other);
        expect(mergeText({ ancestor: one, source: other, written: other })).toBe(other);
      }),
      { numRuns: 500, seed: 51 },
    );
  });

  it('in our spelling keeps comments and tags', () => {
    expect(withInserted('_a_ b  c', '*a* <u>b</u> <!-- x --> c')).toBe('_a_ <u>b</u> <!-- x --> c');
  });
});
