import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeBase64 } from './decode-base64.ts';

test('bytes are decoded, with or without padding and white space', () => {
  const bytes = fc.uint8Array({ maxLength: 50 });
  const layout = fc.record({ isPadded: fc.boolean(), line: fc.integer({ min: 1, max: 80 }) });
  fc.assert(
    fc.property(bytes, layout, fc.constantFrom(1, 30_000), (part, { isPadded, line }, times) => {
      const whole = Buffer.concat(Array.from({ length: times }, () => part));
      const text = whole.toString('base64').replaceAll('=', isPadded ? '=' : '');
      const lines = text.match(new RegExp(`.{1,${line}}`, 'g')) ?? [];
      expect(decodeBase64(lines.join('\r\n'))?.equals(whole)).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test.each(['a', 'QQ==QQ==', 'QR==', 'a-b_', 'QUJD!', '=', '====', `${'QUJD'.repeat(300_000)}=QQ`])(
  '%.20s is not valid',
  (text) => {
    expect(decodeBase64(text)).toBeUndefined();
  },
);
