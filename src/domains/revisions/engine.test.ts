import { describe, expect, test } from 'vitest';
import { countTurns } from '../../../test/count-turns.ts';
import { sizeOfCharacters, sizeOfText, totalOf } from '../../content-engine/size-of-text.ts';
import { ThreadError, type RunOptions, type ThreadFailure } from '../../platform/threads/index.ts';
import { engineOf, isLarge, MAX_INLINE, readingEngineOf } from './engine.ts';

test('a text of many short lines is large before its length is', () => {
  const blocks = '# a\n'.repeat(12_000);
  expect(blocks.length).toBeLessThan(MAX_INLINE);
  expect(isLarge(sizeOfText(blocks))).toBe(true);
  const prose = `${'word '.repeat(80)}\n\n`.repeat(100);
  expect(isLarge(sizeOfText(prose))).toBe(false);
  expect(sizeOfText('one\ntwo\n')).toBe(8 + 2 * 10);
  expect(isLarge(sizeOfText('[^1] '.repeat(9900)))).toBe(true);
  expect(totalOf([sizeOfText('a\n', '[b'), sizeOfCharacters(5)])).toBe(2 + 10 + 2 + 10 + 5);
});

describe.each([
  ['engineOf', engineOf],
  ['readingEngineOf', readingEngineOf],
])('%s', (_name, makeEngine) => {
  function engineWith(run: () => Promise<unknown>) {
    const calls: [string, RunOptions | undefined][] = [];
    const threads = {
      run: (name: string, _input: unknown, options?: RunOptions) => {
        calls.push([name, options]);
        return run();
      },
      hasFree: () => true,
      close: async () => undefined,
    };
    return { engine: makeEngine({ threads }, 'owner'), calls };
  }

  test('runs small tasks here and large ones in a thread, for their owner', async () => {
    const { engine, calls } = engineWith(async () => 'of a thread');
    const run = (text: string) =>
      engine.run('analyseBody', text, { size: sizeOfText(text), what: 'Page "A"' });
    expect(await run('# Small\n')).toMatchObject({ hrefs: [] });
    expect(calls).toEqual([]);
    expect(await run('word '.repeat(20_000))).toBe('of a thread');
    expect(calls).toEqual([['analyseBody', { owner: 'owner' }]]);
  });

  test.each<[ThreadFailure, number, string]>([
    ['time', 413, 'Page "A" exceeds the time limit'],
    ['memory', 413, 'Page "A" exceeds the memory limit'],
    ['busy', 503, 'too many large pages'],
  ])('refuses a task that fails by %s with %i', async (failure, status, message) => {
    const { engine } = engineWith(() => Promise.reject(new ThreadError(failure, 'x')));
    const work = { size: sizeOfCharacters(MAX_INLINE + 1), what: 'Page "A"' };
    const answer = engine.run('analyseBody', '', work);
    await expect(answer).rejects.toMatchObject({ status, message: expect.stringContaining(message) });
  });
});

test('small tasks of many reads that arrive together take several turns', async () => {
  const threads = { run: async () => undefined, hasFree: () => true, close: async () => undefined };
  const text = 'Some *words* with `code`.\n\n'.repeat(500);
  const work = { size: sizeOfText(text), what: 'Page "A"' };
  const turns = countTurns();
  const reads = Array.from({ length: 100 }, () =>
    readingEngineOf({ threads }, 'owner').run('analyseBody', text, work),
  );
  await Promise.all(reads);
  turns.end();
  expect(turns.count).toBeGreaterThan(3);
});
