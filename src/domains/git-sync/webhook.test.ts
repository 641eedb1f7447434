import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { turnRatio } from '../../../test/longest-turn.ts';
import { readEvent } from './push-event.ts';

/** Payloads of up to 4 MB, whatever they contain. */

const HEADERS = { 'x-github-event': 'push' };
const read = (payload: string) => readEvent(HEADERS, Buffer.from(payload));

describe('a payload', () => {
  test.each([
    ['nested too deep', '['.repeat(1000) + ']'.repeat(1000), 400, /deeper than 100 levels/],
    ['of too many values', `{"ref":"x","a":[${'[],'.repeat(300_000)}[]]}`, 413, /more than 200000 values/],
    [
      'of too many members',
      `{${Array.from({ length: 20_000 }, (_each, index) => `"k${index}":1`).join()}}`,
      413,
      /more than 10000 members/,
    ],
    ['that is not JSON', 'payload=%7B%7D', 400, /not valid JSON/],
  ])('%s is refused', async (_name, payload, status, message) => {
    await expect(read(payload)).rejects.toMatchObject({ status, message: expect.stringMatching(message) });
  });

  test('of thousands of commits is read', async () => {
    const commit = { id: 'x'.repeat(40), message: 'Fix \u0000', added: ['a.md'], author: { name: 'A' } };
    const payload = JSON.stringify({
      ref: 'refs/heads/main',
      commits: Array.from({ length: 5000 }, () => commit),
    });
    expect(await read(payload)).toEqual({ type: 'push', refs: ['refs/heads/main'] });
  });
});

describe('a call without a signature', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  const call = (raw: string) => async () => {
    const { status } = await app.call('POST', '/~git/nothing/webhook', { raw });
    expect(status).toBe(401);
  };

  test('is not parsed as a form', async () => {
    // Some 15 times as long when it is.
    const ratio = await turnRatio(call('a&'.repeat(1_900_000)), call('{}'), 6);
    expect(ratio).toBeLessThan(6);
  });
});
