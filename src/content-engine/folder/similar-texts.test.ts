import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pairSimilar, unitsOf } from './similar-texts.ts';

const pair = (before: Record<string, string>, after: Record<string, string>) => {
  const units = (texts: Record<string, string>) =>
    new Map(Object.entries(texts).map(([path, text]) => [path, unitsOf(text)]));
  return pairSimilar(units(before), units(after));
};

test('an edited text is found by what it has in common with the earlier one', () => {
  const text = 'One sentence. Another sentence.\n\nA paragraph.\n';
  const edited = text.replace('Another', 'A different');
  expect(pair({ 'a.md': text, 'b.md': 'Other words.\n' }, { 'x/a.md': edited, 'c.md': 'New.\n' })).toEqual([
    { from: 'a.md', to: 'x/a.md' },
  ]);
  expect(pair({ 'a.md': text }, { 'b.md': 'Nothing in common.\n' })).toEqual([]);
  expect(pair({ 'a.md': '第一句。第二句。' }, { 'b.md': '第一句。另一句。' })).toEqual([
    { from: 'a.md', to: 'b.md' },
  ]);
});

test('of equal texts, those with the same file name are paired', () => {
  expect(pair({ 'a.md': 'T', 'b.md': 'T' }, { 'x/b.md': 'T', 'x/a.md': 'T' })).toEqual([
    { from: 'a.md', to: 'x/a.md' },
    { from: 'b.md', to: 'x/b.md' },
  ]);
});

test('each text is paired at most once, and unchanged texts always are', () => {
  const texts = fc.uniqueArray(fc.lorem({ maxCount: 4, mode: 'sentences' }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(texts, (bodies) => {
      const files = (directory: string) =>
        Object.fromEntries(bodies.map((body, index) => [`${directory}/${index}.md`, body]));
      const pairs = pair(files('a'), files('b'));
      expect(new Set(pairs.map(({ from }) => from)).size).toBe(pairs.length);
      expect(pairs.map(({ from, to }) => [from.slice(1), to.slice(1)])).toEqual(
        expect.arrayContaining(bodies.map((_body, index) => [`/${index}.md`, `/${index}.md`])),
      );
    }),
  );
});
