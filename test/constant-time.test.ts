import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { equalsSecret } from '../src/platform/keys.ts';

/** Only `equalsSecret` compares signatures and tokens: the time of `===` reveals the length of the matching prefix. */

const SOURCE = fileURLToPath(new URL('../src', import.meta.url));

/** A name or a call that denotes a secret: `signature`, `params.signature`, `signDownload(…)`, `shareToken`. */
const SECRET = String.raw`(?:\b\w*(?:[sS]ignature|[tT]oken|[sS]ecret|[hH]mac)|\bsign\w*\(.*?\)(?:\.slice\(.*?\))?)`;
const OPERATOR = String.raw`\s*[!=]==?(?!=)\s*`;
/** Compared with a value, not checked for presence. */
const PATTERNS = [
  new RegExp(String.raw`${SECRET}${OPERATOR}(?!\s|undefined|null|'')`),
  new RegExp(String.raw`${OPERATOR}(?:\w+\.)*${SECRET}(?!\w|\.)`),
  /\.equals\(/,
];

const comparesSecret = (text: string): boolean => PATTERNS.some((pattern) => pattern.test(text));

/** The engine is pure: its tokens are pieces of Markdown. */
const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('content-engine'),
);

test('no secret is compared by an operator', () => {
  expect(files.length).toBeGreaterThan(200);
  const found = files.flatMap((name) =>
    readFileSync(path.join(SOURCE, name), 'utf8')
      .split('\n')
      .flatMap((text, index) => (comparesSecret(text) ? [`${name}:${index + 1}: ${text.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});

test.each([
  'if (signature !== signDownload(ctx.keys, spaceId, hash)) return GONE;',
  'const isGood = params.signature === expected;',
  'const isGood = expected === signature && isFresh;',
  "if (sign(keys, spaceId).slice(0, 32) === given) return 'yes';",
  'return given == shareToken;',
  'if (!Buffer.from(given).equals(expected)) return;',
])('detects a comparison of a secret: %s', (text) => expect(comparesSecret(text)).toBe(true));

test.each([
  "if (token === undefined) return '';",
  "const given = signature === '' ? undefined : signature;",
  'if (!equalsSecret(signature, signDownload(ctx.keys, spaceId, hash))) return GONE;',
  'if (tokens.size === 0) return;',
])('ignores other comparisons: %s', (text) => expect(comparesSecret(text)).toBe(false));

test('equalsSecret compares whole values', () => {
  for (const [one, other] of [
    ['', ''],
    ['abc', 'abc'],
    ['é'.normalize('NFC'), 'é'.normalize('NFC')],
  ] as const)
    expect(equalsSecret(one, other)).toBe(true);
  for (const [one, other] of [
    ['', 'a'],
    ['abc', 'abd'],
    ['abc', 'abcd'],
    ['abc', 'ABC'],
    ['é'.normalize('NFC'), 'é'.normalize('NFD')],
  ] as const)
    expect(equalsSecret(one, other)).toBe(false);
});
