import { describe, expect, test } from 'vitest';
import { MAX_ANSWER, requireSendable, requireSendableBody } from './answer-size.ts';

const MEGABYTE = 1024 * 1024;
const text = 'x'.repeat(MEGABYTE);
const times = (count: number) => Array.from({ length: count }, () => text);

describe('an answer', () => {
  test('may have 64 MB, counted before it is serialised', () => {
    expect(() => requireSendable({ items: times(63) })).not.toThrow();
    expect(() => requireSendable({ items: times(64) })).toThrow(/exceed 64 MB. Request less/);
    expect(() => requireSendable(Object.fromEntries(times(70).map((each, n) => [n, each])))).toThrow(/64 MB/);
    expect(() => requireSendable(null)).not.toThrow();
  });

  test('is looked at no further than its budget goes', () => {
    let visited = 0;
    const items = new Proxy(times(64), {
      get(target, key) {
        if (key === 'length') return 1_000_000;
        visited++;
        return target[0];
      },
    });
    expect(() => requireSendable(items)).toThrow(/64 MB/);
    expect(visited).toBeLessThan(70);
  });

  test('that is text or bytes already has its bytes counted', () => {
    expect(() => requireSendableBody(Buffer.alloc(MAX_ANSWER))).not.toThrow();
    expect(() => requireSendableBody(Buffer.alloc(MAX_ANSWER + 1))).toThrow(/64 MB/);
    expect(() => requireSendableBody('é'.repeat(MAX_ANSWER / 2))).not.toThrow();
    expect(() => requireSendableBody('é'.repeat(MAX_ANSWER / 2 + 1))).toThrow(/64 MB/);
  });
});
