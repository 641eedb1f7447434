import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { turnRatio } from '../../../test/longest-turn.ts';
import { jsonTextOf } from '../api/unparsed-json.ts';
import { readJson, readJsonInSteps } from './parse-json.ts';

const LIMITS = {
  values: 1000,
  members: 1000,
  advice: 'Send less.',
  unparsed: { path: ['pages', '*', 'document'], values: 20_000, stub: { isStub: true } },
};
const TYPE = 'application/json';
const read = (json: string): unknown => readJson(TYPE, Buffer.from(json), LIMITS);
const LARGE = 20_000;

/** Each character as an escape: `\u0061`. */
const escaped = (text: string): string =>
  text.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

describe('large strings', () => {
  const parts = fc.array(
    fc.constantFrom('a', '"', '\\', '\n', 'é', '語', '😀', '\u{1f468}\u200d', '/', 'u0041'),
    {
      minLength: 1,
      maxLength: 12,
    },
  );
  const strings = fc
    .tuple(parts, fc.constantFrom(1, 3000, 60_000))
    .map(([some, times]) => some.join('').repeat(times));

  test('are read as JSON.parse reads them', () => {
    fc.assert(
      fc.property(fc.array(strings, { maxLength: 4 }), fc.boolean(), (texts, isEscaped) => {
        const json = isEscaped
          ? `{"texts": [${texts.map((text) => `"${escaped(text)}"`).join(' , ')}], "more": {"a": [true]}}`
          : JSON.stringify({ texts, more: { first: texts[0], a: [texts[1] ?? null, 1] } }, null, 1);
        // Not toEqual: its report of a difference would be as long as the strings.
        expect(JSON.stringify(read(json)) === JSON.stringify(JSON.parse(json))).toBe(true);
      }),
      { numRuns: 15 },
    );
  });

  test.each([
    ['a NUL', `{"a": ["${'x'.repeat(LARGE)}\\u0000"]}`, 'body.a.0: must be text without NUL'],
    ['an unpaired surrogate', `{"a": "${'語'.repeat(LARGE)}\\ud800"}`, 'body.a: must be text without NUL'],
    ['a bad escape', `{"a": "${'x'.repeat(LARGE)}\\q"}`, 'not valid JSON: Bad escaped character'],
    ['no end', `"${'x'.repeat(LARGE)}`, 'not valid JSON: a string has no end'],
    [
      'an error after them',
      `{"a": "${'x'.repeat(LARGE)}", "b": tru}`,
      "not valid JSON: Unexpected token '}'",
    ],
  ])('with %s are refused', (_what, json, message) => {
    expect(() => read(json)).toThrow(message);
  });

  test('are refused as names', () => {
    expect(() => read(`{"${'x'.repeat(LARGE)}" : 1}`)).toThrow('A name in the body is longer');
  });
});

describe('a large value that is declared as unparsed', () => {
  const document = { nodes: Array.from({ length: 3000 }, (_each, index) => ({ text: `"${index}` })) };
  const textsOf = (value: unknown) =>
    (value as { pages: { document: object }[] }).pages.map((page) => jsonTextOf(page.document));

  test('is left as text', () => {
    const json = JSON.stringify({ pages: [{ title: 'a', document }, { document: { a: 1 } }, { document }] });
    const value = read(json);
    const [first, second, third] = textsOf(value).map((text) => text && Buffer.from(text).toString());
    expect([first, second, third]).toEqual([JSON.stringify(document), undefined, JSON.stringify(document)]);
    expect(value).toMatchObject({
      pages: [{ title: 'a', document: { isStub: true } }, { document: { a: 1 } }, {}],
    });
  });

  test('is found by a name with escapes', () => {
    const json = `{"pages": [{"doc\\u0075ment" : ${JSON.stringify(document)}}]}`;
    expect(textsOf(read(json))[0]?.length).toBe(JSON.stringify(document).length);
  });

  test.each([
    ['elsewhere', { pages: [document] }],
    ['in an object instead of an array', { pages: { a: { document } } }],
    ['at another depth', { pages: [[{ document }]] }],
  ])('is parsed %s, and its values are counted', (_where, body) => {
    expect(() => read(JSON.stringify(body))).toThrow('The body has more than 1000 values');
  });

  test('has a limit of its own', () => {
    const values = Array.from({ length: 20_001 }, () => 1);
    expect(() => read(JSON.stringify({ pages: [{ document: { values } }] }))).toThrow('more than 20');
  });

  test.each([
    [
      'has no end',
      `{"pages": [{"document": ${JSON.stringify(document).slice(0, -2)}`,
      'a bracket is not closed',
    ],
    [
      'is a name',
      `{"pages": [{"document": {}, ${JSON.stringify(document)}: 5}]}`,
      'A name in the body is longer',
    ],
  ])('is refused if it %s', (_what, json, message) => {
    expect(() => read(json)).toThrow(message);
  });

  test('may be large strings only', () => {
    const value = read(JSON.stringify({ pages: [{ document: { a: 'x'.repeat(LARGE) } }] }));
    expect(Buffer.from(textsOf(value)[0] ?? []).toString()).toBe(`{"a":"${'x'.repeat(LARGE)}"}`);
  });
});

const MB = 1024 * 1024;
/** Text that is parsed at once takes twelve times as long. */
const GENEROUS = 4;

test.each([
  ['quotes', '"'],
  ['Chinese', '語'],
  ['words', 'word '],
])('24 MB of %s are parsed in steps as long as those of 2 MB', async (_what, part) => {
  const parse = (size: number) => {
    const bytes = Buffer.from(JSON.stringify(part.repeat(size / Buffer.byteLength(part))));
    return () => readJsonInSteps(TYPE, bytes);
  };
  expect(await turnRatio(parse(24 * MB), parse(2 * MB), GENEROUS)).toBeLessThan(GENEROUS);
});

test('many texts of a few kilobytes are no short values', async () => {
  const texts = Array.from({ length: 4000 }, (_, index) => `${index} ${'語\n'.repeat(1250)}`);
  const value = await readJsonInSteps(TYPE, Buffer.from(JSON.stringify(texts)));
  expect(value).toEqual(texts);
});

test('9 MB of short values are refused', async () => {
  const values = Array.from({ length: 60_000 }, (_, index) => ({
    [`k${index}${'\n'.repeat(30)}`]: '\n'.repeat(40),
  }));
  const refused = readJsonInSteps(TYPE, Buffer.from(JSON.stringify(values)));
  await expect(refused).rejects.toThrow('more than 8 MB of short values');
});

test('a name of two kilobytes is refused in a large body, where it would be set apart', async () => {
  const body = JSON.stringify({ a: 'x'.repeat(9 * MB), ['n'.repeat(3000)]: 1 });
  await expect(readJsonInSteps(TYPE, Buffer.from(body))).rejects.toThrow('longer than 2048 bytes');
});

test('a long name is not read again for every colon', async () => {
  const values = Buffer.from(`[${'0,'.repeat(100_000)}0]`);
  const name = Buffer.from(`{"pages": [{"${'x'.repeat(15_000)}"${':'.repeat(50_000)}`);
  const limits = { ...LIMITS, members: 100_000, values: 100_000 };
  const hostile = async () => expect(() => readJson(TYPE, name, limits)).toThrow('not valid JSON');
  const plain = async () => readJson(TYPE, values);
  expect(await turnRatio(hostile, plain, GENEROUS)).toBeLessThan(GENEROUS);
});
