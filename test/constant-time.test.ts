import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { equalsSecret } from '../src/platform/keys.ts';

/** Signatures and tokens are compared by `equalsSecret` alone: `===` tells by its time how much of them is right. */

const SOURCE = fileURLToPath(new URL('../src', import.meta.url));

/** A name or a call that says it is a secret: `signature`, `params.signature`, `signDownload(…)`, `shareToken`. */
const SECRET = String.raw`(?:\b\w*(?:[sS]ignature|[tT]oken|[sS]ecret|[hH]mac)|\bsign\w*\(.*?\)(?:\.slice\(.*?\))?)`;
const OPERATOR = String.raw`\s*[!=]==?(?!=)\s*`;
/** Compared with a value, not asked whether it is there. */
const PATTERNS = [
  new RegExp(String.raw`${SECRET}${OPERATOR}(?!\s|undefined|null|'')`),
  new RegExp(String.raw`${OPERATOR}(?:\w+\.)*${SECRET}(?!\w|\.)`),
  /\.equals\(/,
];

const comparesSecret = (text: string): boolean => PATTERNS.some((pattern) => pattern.test(text));

/** The engine is pure: what it calls a token is a piece of Markdown. */
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
])('a comparison is noticed: %s', (text) => expect(comparesSecret(text)).toBe(true));

test.each([
  "if (token === undefined) return '';",
  "const given = signature === '' ? undefined : signature;",
  'if (!equalsSecret(signature, signDownload(ctx.keys, spaceId, hash))) return GONE;',
  'if (tokens.size === 0) return;',
])('what is no comparison of secrets is not: %s', (text) => expect(comparesSecret(text)).toBe(false));

test('secrets are equal when all of them is', () => {
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
