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

/** The least delay over all attempts, up to the first below the limit. */
async function leastDelay(markdown: string, limit: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && least >= limit; attempt++)
    least = Math.min(least, await delayOfInsert(markdown));
  return least;
}

describe('a page of 1.9 MB delays other requests no longer than plain words of that size', () => {
  let baseline: number;
  beforeAll(async () => {
    const words = 'word '.repeat(SIZE / 5);
    await delayOfInsert(words);
    baseline = Math.max(await delayOfInsert(words), await delayOfInsert(words));
  }, 120_000);

  test.each([
    ['quotes', '"'.repeat(SIZE)],
    ['backslashes', `~~~\n${'\\'.repeat(SIZE)}\n~~~\n`],
    ['control characters', '\u0001'.repeat(SIZE)],
    ['Chinese', '語'.repeat(SIZE / 3)],
  ])('%s', { timeout: 120_000 }, async (_name, markdown) => {
    const limit = GENEROUS * baseline;
    expect(await leastDelay(markdown, limit)).toBeLessThan(limit);
  });
});
