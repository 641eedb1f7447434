import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJson } from './parse-json.ts';

const LIMITS = { values: 1000, members: 100, advice: 'Send less.' };
const TYPE = 'application/json';
const read = (json: string): unknown => readJson(TYPE, Buffer.from(json), LIMITS);

test('any JSON is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json({ noUnicodeString: true, maxDepth: 3 }), (json) => {
      if (/__proto__|constructor/.test(json)) return;
      expect(read(json)).toEqual(JSON.parse(json));
    }),
  );
  expect(read('\ufeff{"a": "é語😀"}')).toEqual({ a: 'é語😀' });
});

test('members that could replace a prototype are removed', () => {
  expect(read('{"a": 1, "__proto__": {"b": 2}, "\\u005f_proto__": 3}')).toEqual({ a: 1 });
});

describe('a body is refused', () => {
  const LONG = 'x'.repeat(20_000);

  test.each([
    ['that has a NUL', `{"a": ["${LONG}\\u0000"]}`, 'body.a.0: must be text without NUL'],
    ['that has an unpaired surrogate', '{"a": "語\\ud800"}', 'body.a: must be text without NUL'],
    ['with a bad escape', `{"a": "${LONG}\\q"}`, 'not valid JSON: Bad escaped character'],
    ['with a string that has no end', `"${LONG}`, 'not valid JSON: Unterminated string'],
    ['with an open bracket', '{"a": [1', 'not valid JSON: Expected'],
    ['of 101 levels', '['.repeat(101) + ']'.repeat(101), 'nested deeper than 100 levels'],
    ['of many levels', '['.repeat(100_000) + ']'.repeat(100_000), 'nested deeper than 100 levels'],
    ['of 1,001 values', `[${'1,'.repeat(999)}1]`, 'more than 1000 values. Send less.'],
    [
      'with an object of 101 members',
      JSON.stringify(Object.fromEntries(Array.from({ length: 101 }, (_, index) => [index, 0]))),
      'more than 100 members. Send less.',
    ],
  ])('%s', (_what, json, message) => {
    expect(() => read(json)).toThrow(message);
  });

  test('that is not UTF-8, or not JSON', () => {
    expect(() => readJson(TYPE, Buffer.from([0x22, 0xff, 0x22]))).toThrow('not valid UTF-8');
    expect(() => readJson('text/plain', Buffer.from('{}'))).toThrow('application/json');
  });
});

test('100 levels and 1,000 values are within the limits', () => {
  expect(() => read('['.repeat(100) + ']'.repeat(100))).not.toThrow();
  expect(() => read(`[${'1,'.repeat(998)}1]`)).not.toThrow();
});
