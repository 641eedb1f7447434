import { expect, test } from 'vitest';
import { cpuTimeOf } from '../../test/cpu-time.ts';
import { parseDocument } from './markdown/index.ts';
import { normalize } from './normalize.ts';
import { foldPath, foldSlug, slugOf } from './tree/index.ts';
import { composed } from './search/index.ts';

/** Marks of two classes, which are put in order by their class. */
const runOf = (length: number): string => `a${'\u0301'.repeat(length)}${'\u0316'.repeat(length)}`;

test.each(['NFC', 'NFD', 'NFKC', 'NFKD'] as const)('text of languages is normalised: %s', (form) => {
  for (const text of ['é', 'e\u0301', 'ﬁ', 'שָׁלוֹם', 'Việt Nam', 'ガ', 'ｶﾞ', runOf(15)])
    expect(normalize(text, form)).toBe(text.normalize(form));
});

test.each([
  ['normalize', (text: string) => normalize(text, 'NFKC')],
  ['half-width marks', (text: string) => normalize(text.replaceAll('\u0316', '\uff9e'), 'NFKC')],
  ['foldSlug', foldSlug],
  ['foldPath', foldPath],
  ['slugOf', slugOf],
  ['composed', composed],
  ['headings', (text: string) => parseDocument(`# ${text}`)],
])('a run of marks costs little: %s', (_name, use) => {
  const timeOf = (text: string) => cpuTimeOf(() => use(text));
  // 30 times the time of so many letters, where each pair of marks is compared: some 5 s.
  expect(timeOf(runOf(30_000))).toBeLessThan(30 * Math.max(10, timeOf('á'.repeat(60_000))));
});
