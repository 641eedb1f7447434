import fc from 'fast-check';
import { expect, test } from 'vitest';
import { timestampParser } from './timestamps.ts';

const parse = timestampParser((text) => `other ${text}`);

/** The format of PostgreSQL for a time in UTC: without trailing zeros. */
function written(moment: Date): string {
  const [seconds, fraction] = moment.toISOString().replace('T', ' ').replace('Z', '').split('.');
  const digits = (fraction ?? '').replace(/0+$/, '');
  return `${seconds}${digits === '' ? '' : `.${digits}`}+00`;
}

test('moments are parsed to the millisecond', () => {
  const moment = fc.date({
    min: new Date('1000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(moment, (at) => {
      expect(parse(written(at))).toEqual(at);
    }),
  );
});

test('microseconds are cut off', () => {
  expect(parse('2026-11-16 09:01:22.123999+00')).toEqual(new Date('2026-11-16T09:01:22.123Z'));
  expect(parse('1969-12-31 23:59:59.9999+00')).toEqual(new Date('1969-12-31T23:59:59.999Z'));
});

test.each([
  'infinity',
  '-infinity',
  '0044-03-15 00:00:00+00 BC',
  '0044-03-15 00:00:00+00',
  '10000-01-01 00:00:00+00',
])('%s is left to the parser of pg', (text) => expect(parse(text)).toBe(`other ${text}`));

test.each(['2026-11-16 14:31:22+05:30', '2026-11-16 04:01:22.5-05', '2026-11-16 09:01:22+00:00:30'])(
  '%s, in another time zone, is left to the parser of pg',
  (text) => expect(parse(text)).toBe(`other ${text}`),
);
