import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chosenSlug, cleanTitle, isFileName, MAX_SLUG, MAX_TITLE, slugOf, uniqueSlug } from './slug.ts';
import { foldSlug } from '../tree.ts';

const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
/** Any 16 bits, including lone surrogates. */
const anyUnit = fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code));
const anyText = fc.oneof(
  fc.string({ unit: anyUnit }),
  fc.string({ unit: fc.nat({ max: 0x10ffff }).map((code) => String.fromCodePoint(code)) }),
  fc.string({
    unit: fc.constantFrom(
      'a',
      'É',
      'ß',
      '中',
      'й',
      '\u200b',
      '\u202e',
      '\u0301',
      '-',
      '_',
      '.',
      '/',
      '~',
      ' ',
    ),
  }),
);

describe('a slug', () => {
  test.each([
    ['Getting started', 'getting-started'],
    ['  What’s new?  ', 'whats-new'],
    ['Café & Crème brûlée', 'cafe-creme-brulee'],
    ['Straße, Ærø, Łódź', 'strasse-aero-lodz'],
    ['İstanbul ISTANBUL', 'istanbul-istanbul'],
    ['快速入门 guide', '快速入门-guide'],
    ['Быстрый старт', 'быстрый-старт'],
    ['हिन्दी में', 'हिन्दी-में'],
    ['ガイド', 'ガイド'],
    ['ﬁne ①②', 'fine-12'],
    ['v2.0_beta', 'v2-0-beta'],
    ['~gitbook', 'gitbook'],
    ['_next/static', 'next-static'],
    ['../../etc', 'etc'],
    ['a\u202eb\u200bc\u0000d', 'abcd'],
    ['🚀', ''],
    ['?', ''],
  ])('of %j is %j', (title, slug) => {
    expect(slugOf(title)).toBe(slug);
  });

  test('may have dots and underscores on request, but no invisible characters', () => {
    expect(chosenSlug('v2.0_Beta')).toBe('v2.0_beta');
    expect(chosenSlug('..')).toBe('');
    for (const invalid of [
      'a\u202eb',
      'a\u200bb',
      'a/b',
      'a\nb',
      'a\ufeff',
      'a\ud800',
      'a\u2066b',
      '\u00ad',
    ]) {
      expect(chosenSlug(invalid), JSON.stringify(invalid)).toBeUndefined();
    }
  });

  test('of any text is short, plain and stable', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const slug of [slugOf(text), chosenSlug(text) ?? '']) {
          expect(slug.length).toBeLessThanOrEqual(MAX_SLUG);
          expect(slug).not.toMatch(HIDDEN);
          expect(slug).not.toMatch(/[\s/?#%\\]|^[~_.-]|[_.-]$|[\ud800-\udbff]$/);
          expect(chosenSlug(slug)).toBe(slug);
          expect(foldSlug(foldSlug(slug))).toBe(foldSlug(slug));
        }
      }),
      { numRuns: 1000 },
    );
    expect(slugOf('x'.repeat(99) + '😀')).toBe('x'.repeat(99));
    expect(slugOf('a'.repeat(1000))).toHaveLength(MAX_SLUG);
  });

  test('is unique among its siblings', () => {
    const taken = new Set(['guide', 'guide-1', 'x'.repeat(100)]);
    const isTaken = (slug: string) => taken.has(slug);
    expect(uniqueSlug('guide', isTaken)).toBe('guide-2');
    expect(uniqueSlug('Guide', isTaken)).toBe('Guide-2');
    expect(uniqueSlug('other', isTaken)).toBe('other');
    expect(uniqueSlug('', isTaken)).toBe('page');
    expect(uniqueSlug('x'.repeat(100), isTaken)).toBe(`${'x'.repeat(98)}-1`);
    expect(uniqueSlug('llms.txt', isTaken)).toBe('llms.txt');
    expect(uniqueSlug('llms.txt', isTaken, { isAtRoot: true })).toBe('llms.txt-1');
    expect(uniqueSlug('api', isTaken, { isAtRoot: true })).toBe('api');
  });

  test('is found quickly among thousands of equal titles', () => {
    const taken = new Set(['untitled', ...Array.from({ length: 9999 }, (_, i) => `untitled-${i + 1}`)]);
    let lookups = 0;
    const slug = uniqueSlug('untitled', (slug) => {
      lookups++;
      return taken.has(slug);
    });
    expect(slug).toBe('untitled-10000');
    expect(lookups).toBeLessThan(60);
  });
});

describe('a title', () => {
  test('is one visible line', () => {
    expect(cleanTitle('  A\r\n title\t')).toBe('A  title');
    expect(cleanTitle('safe\u202egnp.exe')).toBe('safegnp.exe');
    expect(cleanTitle('👩‍💻 Work')).toBe('👩‍💻 Work');
    for (const invalid of [
      '',
      ' ',
      '\u0000\u0007',
      '\u200b\u2060',
      '\u202e',
      '\u3164',
      'a'.repeat(MAX_TITLE + 1),
    ]) {
      expect(cleanTitle(invalid), JSON.stringify(invalid)).toBeUndefined();
    }
  });
});

describe('a file name', () => {
  test('has no path separators', () => {
    for (const valid of ['a.png', 'Über uns (1).pdf', '.env', '图.png'])
      expect(isFileName(valid), valid).toBe(true);
    for (const invalid of [
      '',
      '.',
      '..',
      '../a',
      'a/b',
      'a\\b',
      'a\u0000',
      'a\u202egnp.exe',
      'a'.repeat(257),
    ]) {
      expect(isFileName(invalid), JSON.stringify(invalid)).toBe(false);
    }
  });
});
