import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../platform/api/errors.ts';
import { NO_CLAIMS, parseUnsignedClaims, separateClaims, visitorClass } from './claims.ts';
import { mayRead, requireCondition } from './may-read.ts';

const signed = (claims: object) => ({ signed: { ...claims }, unsigned: {} });
const unsigned = (claims: object) => ({ signed: {}, unsigned: { ...claims } });

describe('mayRead', () => {
  test('without a condition, everyone may', () => {
    for (const condition of [undefined, null, '', '  ']) expect(mayRead(condition, NO_CLAIMS)).toBe(true);
  });

  test('reads signed and unsigned claims', () => {
    expect(mayRead('visitor.claims.plan === "pro"', signed({ plan: 'pro' }))).toBe(true);
    expect(mayRead('visitor.claims.plan === "pro"', signed({ plan: 'free' }))).toBe(false);
    expect(mayRead('visitor.claims.unsigned.beta', unsigned({ beta: true }))).toBe(true);
    expect(mayRead('visitor.claims.roles.includes("admin")', signed({ roles: ['admin'] }))).toBe(true);
  });

  test('an unsigned claim never passes for a signed one', () => {
    expect(mayRead('visitor.claims.plan === "pro"', unsigned({ plan: 'pro' }))).toBe(false);
    expect(mayRead('visitor.claims.unsigned.beta', signed({ unsigned: { beta: true } }))).toBe(false);
  });

  test('a condition that fails or has an error hides', () => {
    for (const condition of [
      'visitor.claims.missing.deep',
      'visitor.claims.roles.includes("admin")',
      'space.vars.x',
      'page',
      'visitor.claims.plan ===',
      '((',
      'visitor.claims["__proto__"]',
      'visitor.constructor',
      '1 / 0 / "x".y.z',
      '`${'.repeat(40),
    ]) {
      expect(mayRead(condition, NO_CLAIMS), condition).toBe(false);
    }
  });

  test('claims cannot change what a condition reads', () => {
    const hostile = parseUnsignedClaims('{"__proto__":{"plan":"pro"},"constructor":{"plan":"pro"}}');
    expect(mayRead('visitor.claims.plan === "pro"', { signed: {}, unsigned: hostile })).toBe(false);
    expect(mayRead('visitor.claims.unsigned.plan === "pro"', { signed: {}, unsigned: hostile })).toBe(false);
  });
});

test('a condition that does not parse is refused with its position', () => {
  requireCondition('visitor.claims.plan === "pro"', 'body.condition');
  requireCondition(null, 'body.condition');
  const refuse = () => requireCondition('visitor.claims.plan === ', 'body.condition');
  expect(refuse).toThrow(ApiError);
  expect(refuse).toThrow(/body\.condition.*character \d+/);
});

describe('unsigned claims', () => {
  test('are a small JSON object, or none', () => {
    expect(parseUnsignedClaims('{"beta":true}')).toEqual({ beta: true });
    const deep = `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`;
    for (const text of ['', '[]', 'null', '7', '"x"', '{', deep, JSON.stringify({ a: 'x'.repeat(5000) })])
      expect(parseUnsignedClaims(text), text.slice(0, 20)).toEqual({});
  });

  test('are separated from signed ones', () => {
    expect(separateClaims({ plan: 'pro', unsigned: { beta: true } })).toEqual({
      signed: { plan: 'pro' },
      unsigned: { beta: true },
    });
    expect(separateClaims({ unsigned: 'x' })).toEqual(NO_CLAIMS);
  });
});

describe('visitorClass', () => {
  const claims = fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });

  test('is the same for the same claims in any order, and for a new token', () => {
    fc.assert(
      fc.property(claims, claims, (one, other) => {
        const reversed = Object.fromEntries(Object.entries(one).toReversed());
        const renewed = { exp: 2, iat: 1, nbf: 1, jti: 'b' };
        expect(visitorClass({ signed: { ...reversed, ...renewed }, unsigned: other })).toBe(
          visitorClass({ signed: { ...one, exp: 1 }, unsigned: { ...other, jti: 'a' } }),
        );
      }),
    );
  });

  test('differs for different claims', () => {
    const different = [
      NO_CLAIMS,
      signed({ a: 1 }),
      unsigned({ a: 1 }),
      signed({ a: '1' }),
      signed({ a: [['b', 1]] }),
      signed({ a: { b: 1 } }),
      signed({ a: ['object', ['b', 1]] }),
      signed({ a: null }),
      signed({ a: Infinity }),
      signed({ a: 0 }),
      signed({ a: -0 }),
      signed({ a: ['number', 'Infinity'] }),
      signed({ a: [] }),
      signed({ a: {} }),
    ];
    expect(new Set(different.map(visitorClass)).size).toBe(different.length);
  });
});
