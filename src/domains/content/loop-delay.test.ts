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
/** Another process on the machine can delay any single attempt, so the best of several counts. */
const ATTEMPTS = 3;
/** Escaping by regular expression took fifteen times as long. */
const GENEROUS = 4;

/** The longest time in which no other request was served while a page was inserted, in milliseconds. */
async function delayOfInsert(markdown: string): Promise<number> {
  const delays: number[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const space = await contents.aSpace();
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    await contents.edit(space, insert('Large', markdown));
    delay.disable();
    delays.push(delay.max / 1e6);
  }
  return Math.min(...delays);
}

describe('a page of 1.9 MB delays other requests no longer than a harmless one of that size', () => {
  let harmless: number;
  beforeAll(async () => {
    await delayOfInsert('word '.repeat(SIZE / 5));
    harmless = await delayOfInsert('word '.repeat(SIZE / 5));
  }, 120_000);

  test.each([
    ['quotes', '"'.repeat(SIZE)],
    ['backslashes', `~~~\n${'\\'.repeat(SIZE)}\n~~~\n`],
    ['control characters', '\u0001'.repeat(SIZE)],
    ['Chinese', '語'.repeat(SIZE / 3)],
  ])('%s', { timeout: 120_000 }, async (_name, markdown) => {
    expect(await delayOfInsert(markdown)).toBeLessThan(GENEROUS * harmless);
  });
});
