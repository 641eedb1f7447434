import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyOfSegments, requireSourceKey, sourceKey } from './source-key.ts';

test('a path is compared decoded and without case', () => {
  expect(sourceKey('/Old/Page')).toBe('/old/page');
  expect(sourceKey('/caf%C3%A9')).toBe('/café');
  expect(sourceKey('/cafe%CC%81')).toBe('/café');
  expect(sourceKey('/a%2Db')).toBe(sourceKey('/A-b'));
});

test('encoding does not change the key', () => {
  const segment = fc
    .string({ minLength: 1, maxLength: 8 })
    .filter((text) => sourceKey(encodeURIComponent(text)) !== undefined);
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), (segments) => {
      expect(sourceKey(`/${segments.map(encodeURIComponent).join('/')}`)).toBe(keyOfSegments(segments));
    }),
  );
});

test('a path that no page can have is refused', () => {
  for (const source of ['/a/../b', '/.', '/%2e%2e/x', '/a%2Fb', '/a%5Cb', '/a%00', '/%ff', '/%E0%A4'])
    expect(() => requireSourceKey(source, 'body.source'), source).toThrow(/body\.source/);
});

test('a path of the server is refused', () => {
  for (const source of ['/~octavo/mcp', '/~/changes/1', '/%7Eoctavo/x'])
    expect(() => requireSourceKey(source, 'body.source'), source).toThrow('/~');
});
