import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseBlocks } from '../markdown/index.ts';
import { revertBlocks, unknownBlocks } from './revert-blocks.ts';

type Ranges = ReturnType<typeof parseBlocks>;

/** The key of the innermost block that contains these words. */
function keyOf(body: string, words: string, ranges: Ranges = parseBlocks(body)): string {
  const range = ranges.find(({ start, end }) => body.slice(start, end).includes(words));
  if (range === undefined) throw new Error(`no block has ${words}`);
  const isInside = range.children.some(({ start, end }) => body.slice(start, end).includes(words));
  return isInside ? keyOf(body, words, range.children) : range.key;
}

const revert = (before: string, after: string, ...keys: string[]) =>
  revertBlocks(before, after, new Set(keys));

describe('a reverted block', () => {
  const [before, after] = ['one\n\ntwo\n\nthree', 'ONE\n\nTWO\n\nTHREE'];

  test('is found by its old or its current key', () => {
    expect(revert(before, after, keyOf(before, 'two'))).toBe('ONE\n\ntwo\n\nTHREE');
    expect(revert(before, after, keyOf(after, 'TWO'))).toBe('ONE\n\ntwo\n\nTHREE');
    expect(revert(before, after, keyOf(after, 'ONE'), keyOf(before, 'three'))).toBe('one\n\nTWO\n\nthree');
  });

  test('is removed if inserted, restored if deleted, and moved back if moved', () => {
    expect(revert('a\n\nc\n', 'a\n\nb\n\nc\n', keyOf('a\n\nb\n\nc\n', 'b'))).toBe('a\n\nc\n');
    expect(revert('a\n', 'a\n\nb\n', keyOf('a\n\nb\n', 'b'))).toBe('a\n');
    expect(revert('a\n\nb\n\nc\n', 'A\n\nc\n', keyOf('a\n\nb\n\nc\n', 'b'))).toMatch(
      /^(A\n\nb|b\n\nA)\n\nc\n$/,
    );
    expect(revert('a\n\nb\n\nc\n', 'a\n\nb\n', keyOf('a\n\nb\n\nc\n', 'c'))).toBe('a\n\nb\n\nc\n');
    expect(revert('a\n\nb\n\nc\n', 'c\n\na\n\nb\n', keyOf('c\n\na\n\nb\n', 'c'))).toBe('a\n\nb\n\nc\n');
    expect(revert('', 'a\n\nb\n', keyOf('a\n\nb\n', 'a'))).toBe('b\n');
    expect(revert('', 'a\n', keyOf('a\n', 'a'))).toBe('');
  });

  test('among more insertions than deletions removes no other block', () => {
    const now = 'ONE\n\nTWO\n\nTHREE\n\nFOUR';
    expect(revert(before, now, keyOf(before, 'two'))).toBe('ONE\n\ntwo\n\nTWO\n\nTHREE\n\nFOUR');
    expect(revert(before, now, keyOf(now, 'TWO'))).toBe('ONE\n\nTHREE\n\nFOUR');
  });

  test('may be inside another', () => {
    const hint = (...words: string[]) => `{% hint style="info" %}\n${words.join('\n\n')}\n{% endhint %}\n`;
    const [before, after] = [hint('one', 'two', 'three'), hint('ONE', 'TWO', 'THREE')];
    expect(revert(before, after, keyOf(after, 'TWO'))).toBe(hint('ONE', 'two', 'THREE'));
    const [list, other] = ['* one\n* two\n* three\n', '* ONE\n* TWO\n* THREE\n'];
    expect(revert(list, other, keyOf(list, 'two'))).toBe('* ONE\n* two\n* THREE\n');
    const [quote, quoted] = ['> one\n>\n> two\n', '> ONE\n>\n> TWO\n'];
    expect(revert(quote, quoted, keyOf(quote, 'two'))).toBe(quote);
  });

  test('whose key is in neither body is reported', () => {
    expect(unknownBlocks(before, after, [keyOf(before, 'one'), 'nope', keyOf(after, 'ONE')])).toEqual([
      'nope',
    ]);
  });
});

const word = fc.constantFrom('a', 'b', 'c', 'A', 'B', 'C', '## h', '* x\n* y', '```\nf\n```', '> q');
const body = fc.array(word, { maxLength: 7 }).map((words) => words.join('\n\n'));

describe('reverts between any two bodies', () => {
  test('of no block change nothing, of all blocks restore all, and of one block change only that', () => {
    fc.assert(
      fc.property(body, body, fc.nat(), (before, after, pick) => {
        const keys = (text: string) => parseBlocks(text).map(({ key }) => key);
        expect(revert(before, after)).toBe(after);
        const all = revert(before, after, ...keys(before), ...keys(after));
        expect(all.trimEnd()).toBe(before.trimEnd());
        const own = keys(after);
        const key = own[pick % Math.max(1, own.length)];
        const textOf = (key = '') => key.replace(/\.\d+$/, '');
        // The key of equal blocks is ambiguous.
        if (key === undefined || keys(before).filter((each) => textOf(each) === textOf(key)).length > 1)
          return;
        // Two lists may be joined: only the lines stay.
        const result = revert(before, after, key);
        for (const { start, end, key: other } of parseBlocks(after)) {
          if (textOf(other) !== textOf(key)) expect(result).toContain(after.slice(start, end).trimEnd());
        }
      }),
      { numRuns: 1000, seed: 7 },
    );
  });
});
