import { describe, expect, test } from 'vitest';
import { countTurns } from '../../../test/count-turns.ts';
import { BudgetExceeded } from '../../content-engine/budget.ts';
import { analyseBody } from '../../content-engine/markdown/index.ts';
import { sizeOfCharacters, sizeOfText, totalOf } from '../../content-engine/size-of-text.ts';
import { MAX_SMALL, TooLargeHere } from '../../platform/api/too-large-here.ts';
import { runTask, runTaskInTurn } from './run-task.ts';

const isLarge = (text: string) => sizeOfText(text) > MAX_SMALL.text;

test('a text of many short lines is large before its length is', () => {
  const blocks = '# a\n'.repeat(12_000);
  expect(blocks.length).toBeLessThan(MAX_SMALL.text);
  expect(isLarge(blocks)).toBe(true);
  const prose = `${'word '.repeat(80)}\n\n`.repeat(100);
  expect(isLarge(prose)).toBe(false);
  expect(sizeOfText('one\ntwo\n')).toBe(8 + 2 * 10);
  expect(isLarge('[^1] '.repeat(9900))).toBe(true);
  expect(totalOf([sizeOfText('a\n', '[b'), sizeOfCharacters(5)])).toBe(2 + 10 + 2 + 10 + 5);
});

describe.each([
  ['runTask', async (...args: Parameters<typeof runTask>) => runTask(...args)],
  ['runTaskInTurn', runTaskInTurn],
])('%s', (_name, run) => {
  const large = { size: sizeOfCharacters(MAX_SMALL.text + 1), what: 'Page "A"' };

  test('leaves large texts to the heavy process', async () => {
    await expect(run({ isFront: true }, large, () => 'done')).rejects.toThrow(TooLargeHere);
    expect(await run({ isFront: false }, large, () => 'done')).toBe('done');
    const small = { ...large, size: sizeOfCharacters(MAX_SMALL.text) };
    expect(await run({ isFront: true }, small, () => 'done')).toBe('done');
  });

  test('names what exceeds a budget', async () => {
    const task = () => {
      throw new BudgetExceeded('has too many nodes.');
    };
    await expect(run({ isFront: false }, large, task)).rejects.toMatchObject({
      status: 413,
      message: 'Page "A" has too many nodes.',
    });
  });
});

test('small tasks of many reads that arrive together take several turns', async () => {
  const text = 'Some *words* with `code`.\n\n'.repeat(500);
  const work = { size: sizeOfText(text), what: 'Page "A"' };
  const turns = countTurns();
  const read = () => runTaskInTurn({ isFront: true }, work, () => analyseBody(text));
  await Promise.all(Array.from({ length: 100 }, read));
  turns.end();
  expect(turns.count).toBeGreaterThan(3);
});
