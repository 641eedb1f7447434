import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deriveKeys } from '../../platform/keys.ts';
import { readPreviewClaims } from './preview-claims.ts';
import { readPreview, signPreview } from './preview-token.ts';
import { readRison, RisonError } from './read-rison.ts';

/** The writer of the format, for the round trip. */
function writeRison(value: unknown): string {
  if (value === null) return '!n';
  if (typeof value === 'boolean') return value ? '!t' : '!f';
  if (typeof value === 'number') return String(value).replace('+', '');
  if (typeof value === 'string') return `'${value.replaceAll(/[!']/g, '!$&')}'`;
  if (Array.isArray(value)) return `!(${value.map(writeRison).join(',')})`;
  const members = Object.entries(value as object).map(
    ([name, each]) => `${writeRison(name)}:${writeRison(each)}`,
  );
  return `(${members.join(',')})`;
}

describe('Rison', () => {
  test('has the forms of its documentation', () => {
    expect(readRison("(a:0,b:bar,c:'23skidoo',d:!(1,!t,!f,!n,'y z'),e:(),f:!(),g:-1.5e3,h:a-b)")).toEqual({
      a: 0,
      b: 'bar',
      c: '23skidoo',
      d: [1, true, false, null, 'y z'],
      e: {},
      f: [],
      g: -1500,
      h: 'a-b',
    });
    expect(readRison("'can!'t!!'")).toBe("can't!");
    expect(readRison("('a b':1)")).toEqual({ 'a b': 1 });
  });

  test('every JSON value survives', () => {
    const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
    fc.assert(
      fc.property(json, (value) => {
        expect(readRison(writeRison(value))).toEqual(value);
      }),
    );
  });

  test('any text is read or refused with a position', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."()!:,'atfn01-. é") }), (text) => {
        try {
          readRison(text);
        } catch (error) {
          expect(error).toBeInstanceOf(RisonError);
          expect((error as RisonError).at).toBeLessThanOrEqual(text.length);
        }
      }),
    );
    for (const text of [
      '',
      '(',
      '(a)',
      '(a:)',
      '(a:1',
      '!x',
      "'",
      "'!x'",
      '1x',
      '(a:1)b',
      '!(1,)',
      '('.repeat(50),
    ])
      expect(() => readRison(text), text).toThrow(RisonError);
  });

  test('claims are an object of limited size', () => {
    expect(readPreviewClaims('(plan:pro)')).toEqual({ plan: 'pro' });
    for (const text of ['pro', '!(a)', '!n', `(a:'${'x'.repeat(1001)}')`, '(a'])
      expect(() => readPreviewClaims(text), text.slice(0, 10)).toThrow(/query\.claims/);
  });
});

describe('a preview token', () => {
  const keys = deriveKeys('one secret of an installation');
  const now = new Date('2026-11-16T12:00:00Z');
  const later = new Date('2026-11-16T13:00:01Z');
  const token = signPreview(
    keys,
    { siteId: 's1', userId: 'u1', tokenId: 't1', claims: { plan: 'pro' } },
    now,
  );

  test('is read for its site, for an hour', () => {
    expect(readPreview(keys, token, 's1', now)).toEqual({
      siteId: 's1',
      userId: 'u1',
      tokenId: 't1',
      claims: { plan: 'pro' },
    });
    expect(readPreview(keys, token, 's2', now)).toBeUndefined();
    expect(readPreview(keys, token, 's1', later)).toBeUndefined();
  });

  test('cannot be forged', () => {
    const [body = '', signature = ''] = token.split('.');
    const forged = Buffer.from(JSON.stringify(['s1', 'u2', 't1', later.getTime(), {}])).toString('base64url');
    const others = [
      '',
      '.',
      body,
      `${body}.`,
      `${body}.${signature}x`,
      `${body}.${signature}.x`,
      `${forged}.${signature}`,
      `x${token}`,
      signPreview(
        deriveKeys('the secret of another one'),
        { siteId: 's1', userId: 'u1', tokenId: 't1', claims: {} },
        now,
      ),
    ];
    for (const other of others) expect(readPreview(keys, other, 's1', now), other).toBeUndefined();
  });
});
