import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quotedTitle } from './quoted-title.ts';

test.each([
  ['Acme Inc.', '“Acme Inc.”'],
  ['Ünïcode & Söhne', '“Ünïcode & Söhne”'],
  ['Win at https://evil.example/now', '“Win at https : / / evil . example / now”'],
  ['www.evil.example', '“www . evil . example”'],
  ['mailto:a@evil.example', '“mailto : a @ evil . example”'],
  ['ｅｖｉｌ．ｅｘａｍｐｌｅ evil。example', '“evil . example evil 。 example”'],
  ['evil\u200B.\u200Bexample', '“evil . example”'],
  ['a” on Octavo.\nOpen', "“a' on Octavo. Open”"],
  ['x'.repeat(100), `“${'x'.repeat(59)}…”`],
])('the title %j is quoted as %s', (title, quoted) => {
  expect(quotedTitle(title)).toBe(quoted);
});

test('a quoted title never contains text that a mail client turns into a link', () => {
  const part = fc.constantFrom(
    'a',
    'com',
    '.',
    ':',
    '/',
    '@',
    '．',
    '。',
    '\u200B',
    ' ',
    '\n',
    '”',
    '1',
    '\\',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      const quoted = quotedTitle(parts.join(''));
      expect(quoted.slice(1, -1)).not.toMatch(/[.:/@。\\]\S*[\p{L}\d]|[\n“”]/u);
      expect([...quoted].length).toBeLessThanOrEqual(62);
    }),
  );
});
