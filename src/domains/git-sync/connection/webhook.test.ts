import { describe, expect, test } from 'vitest';
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
  ])('%s is refused', (_name, payload, status, message) => {
    const refusal = { status, message: expect.stringMatching(message) };
    expect(() => read(payload)).toThrow(expect.objectContaining(refusal));
  });

  test('of thousands of commits is read', () => {
    const commit = { id: 'x'.repeat(40), message: 'Fix \u0000', added: ['a.md'], author: { name: 'A' } };
    const payload = JSON.stringify({
      ref: 'refs/heads/main',
      commits: Array.from({ length: 5000 }, () => commit),
    });
    expect(read(payload)).toEqual({ type: 'push', refs: ['refs/heads/main'] });
  });
});
