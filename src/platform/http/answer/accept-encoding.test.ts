import fc from 'fast-check';
import { expect, test } from 'vitest';
import { preferredEncoding, refusesPlain } from './accept-encoding.ts';

test.each([
  [undefined, undefined],
  ['', undefined],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['GZIP;Q=0.5', 'gzip'],
  ['br;q=0.1, gzip;q=1', 'gzip'],
  ['br;q=0.5, gzip;q=0.5', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.0, gzip;q=0', undefined],
  ['*', 'br'],
  ['*;q=0.5, br;q=0.1', 'gzip'],
  ['*;q=0', undefined],
  ['gzip, *;q=0', 'gzip'],
  ['identity', undefined],
  ['identity;q=1, br;q=0.5', undefined],
  ['identity;q=0.5, br;q=0.5', 'br'],
  ['identity;q=0, gzip;q=0.2', 'gzip'],
  ['identity;q=0', undefined],
  ['br;q=nonsense, gzip;q=0.1', 'gzip'],
  ['br; q=0.2 , gzip ; q = 0.3', 'gzip'],
  ['brotli, gzipped', undefined],
])('%j gets %s', (accepted, encoding) => {
  expect(preferredEncoding(accepted)).toBe(encoding);
});

test.each([
  [undefined, false],
  ['gzip', false],
  ['*', false],
  ['identity;q=0, gzip', true],
  ['*;q=0, gzip', true],
  ['*;q=0, identity;q=0.1', false],
])('%j refuses a plain body: %s', (accepted, refuses) => {
  expect(refusesPlain(accepted)).toBe(refuses);
});

test('the encoding is never one of a lower quality, and never a refused one', () => {
  const quality = fc.constantFrom(0, 0.1, 0.5, 0.9, 1);
  fc.assert(
    fc.property(fc.record({ br: quality, gzip: quality, identity: quality }), (qualities) => {
      const header = Object.entries(qualities).map(([name, q]) => `${name};q=${q}`);
      const chosen = preferredEncoding(header.join(', ')) ?? 'identity';
      expect(qualities[chosen]).toBe(Math.max(...Object.values(qualities)));
    }),
  );
});
