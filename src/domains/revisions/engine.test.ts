import { expect, test } from 'vitest';
import { sizeOfText } from '../../content-engine/size-of-text.ts';
import { isLarge, MAX_INLINE } from './engine.ts';

test('a text of many short lines is large before its length is', () => {
  const blocks = '# a\n'.repeat(12_000);
  expect(blocks.length).toBeLessThan(MAX_INLINE);
  expect(isLarge(sizeOfText(blocks))).toBe(true);
  const prose = `${'word '.repeat(80)}\n\n`.repeat(100);
  expect(isLarge(sizeOfText(prose))).toBe(false);
  expect(sizeOfText('one\ntwo\n')).toBe(8 + 2 * 10);
  expect(isLarge(sizeOfText('[^1] '.repeat(9900)))).toBe(true);
});
