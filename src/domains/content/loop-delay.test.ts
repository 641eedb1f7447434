import { monitorEventLoopDelay } from 'node:perf_hooks';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../../../test/app.ts';
import { contentsOf, insert, type Contents } from '../../../test/content.ts';
import { aSide } from '../../../test/world.ts';

let contents: Contents;

beforeAll(async () => {
  const app = await startApp();
  contents = contentsOf(app, await aSide(app, 'alpha'));
});

const SIZE = 1_900_000;
/** Another process can delay any single attempt. Escaping by regular expression took fifteen times as long in all of them. */
const ATTEMPTS = 10;
const GENEROUS = 4;

/** The longest delay of the event loop while a page was inserted, in milliseconds. */
async function delayOfInsert(markdown: string): Promise<number> {
  const space = await contents.aSpace();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await contents.edit(space, insert('Large', markdown));
  delay.disable();
  return delay.max / 1e6;
}

const WORDS = 'word '.repeat(SIZE / 5);

/** Measured in turns, because the machine may become slower meanwhile. The least over all attempts, up to one that is fine. */
async function leastRatio(markdown: string): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && least >= GENEROUS; attempt++) {
    const baseline = await delayOfInsert(WORDS);
    least = Math.min(least, (await delayOfInsert(markdown)) / baseline);
  }
  return least;
}

describe('a page of 1.9 MB delays other requests no longer than plain words of that size', () => {
  // The first insert starts the thread.
  beforeAll(() => delayOfInsert(WORDS), 120_000);

  test.each([
    ['quotes', '"'.repeat(SIZE)],
    ['backslashes', `~~~\n${'\\'.repeat(SIZE)}\n~~~\n`],
    ['control characters', '\u0001'.repeat(SIZE)],
    ['Chinese', '語'.repeat(SIZE / 3)],
  ])('%s', { timeout: 120_000 }, async (_name, markdown) => {
    expect(await leastRatio(markdown)).toBeLessThan(GENEROUS);
  });
});
