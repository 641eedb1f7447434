import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuTimeOf } from '../../../test/cpu-time.ts';
import { evaluate, evaluateCondition, isDeterministic, type Scope } from './index.ts';
import { MAX_TEXT } from './operators.ts';
import { MAX_LENGTH } from './parse.ts';

const scope: Scope = {
  space: { vars: { a: 'text', n: 3, t: true, f: false, z: null } },
  page: { vars: { list: ['a', 1, null], s: '' } },
  visitor: { claims: { unsigned: {} } },
};

/** All values reachable from the data, and nothing else. */
const reachable = new Set<unknown>();
(function collect(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  reachable.add(value);
  for (const inner of Object.values(value)) collect(inner);
})(scope);

function expectHarmless(expression: string): void {
  const result = evaluate(expression, scope);
  expect(evaluateCondition(expression, scope)).toBe(result.ok && Boolean(result.value));
  isDeterministic(expression);
  expect(quickestOf(expression)).toBeLessThan(5);
  if (result.ok) expectData(result.value);
  else expect(result.error.message).toBeTruthy();
}

/** Milliseconds of CPU time. Repeated when it was long, because other work may interfere. */
function quickestOf(expression: string): number {
  let quickest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 5 && quickest > 2; i++) {
    const spent = cpuTimeOf(() => evaluate(expression, scope));
    quickest = Math.min(quickest, spent);
  }
  return quickest;
}

function expectData(value: unknown): void {
  expect(['string', 'number', 'boolean', 'undefined', 'object']).toContain(typeof value);
  if (typeof value === 'string') expect(value.length).toBeLessThanOrEqual(MAX_TEXT);
  if (typeof value !== 'object' || value === null || reachable.has(value)) return;
  expect(Array.isArray(value)).toBe(true);
  for (const item of value as unknown[]) expectData(item);
}

/** Any 16 bits, including lone surrogates. */
const anyUnit = fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code));

const piece = fc.constantFrom(
  'space',
  'page',
  'visitor',
  'vars',
  'claims',
  'a',
  'n',
  'list',
  'constructor',
  '__proto__',
  'prototype',
  'toString',
  'this',
  'globalThis',
  'true',
  'null',
  'undefined',
  'in',
  'includes',
  'length',
  'toUpperCase',
  'startsWith',
  '.',
  '.',
  '?.',
  '[',
  ']',
  '(',
  ')',
  '"',
  "'",
  '`',
  '${',
  '}',
  '\\',
  '0',
  '1',
  '.5',
  'e',
  '+',
  '-',
  '*',
  '/',
  '%',
  '!',
  '=',
  '===',
  '!==',
  '==',
  '<',
  '>=',
  '&&',
  '||',
  '??',
  '?',
  ':',
  ',',
  ' ',
  '\n',
  'é',
  '\u202e',
  '\ud800',
  '"a"',
  '"constructor"',
);

const name = fc.constantFrom('a', 'n', 't', 'f', 'z', 'missing');
const leaf = fc.oneof(
  fc.constantFrom(
    '1',
    '0',
    '2.5',
    '.5',
    '1e3',
    '"a"',
    "'b'",
    '""',
    '"10"',
    'true',
    'false',
    'null',
    'undefined',
    '"tex"',
  ),
  name.map((name) => `space.vars.${name}`),
  name.map((name) => `space.vars["${name}"]`),
  name.map((name) => `space?.vars?.${name}`),
  fc.constantFrom(
    'page.vars.s',
    'space.missing?.a.b',
    'space.missing?.["a"]',
    'space.vars.a.length',
    'space.vars.a[1]',
    '[1, "a"].includes("a")',
    'page.vars.list.includes(1)',
    'page.vars.list.length',
    '("n" in space.vars)',
    '("toto" in space.vars)',
    '(1 in page.vars.list)',
    '`x${1}y`',
  ),
);
const { tree } = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc
      .tuple(
        tie('tree'),
        fc.constantFrom('===', '!==', '==', '!=', '<', '<=', '>', '>=', '+', '-', '*', '/', '%', '&&', '||'),
        tie('tree'),
      )
      .map(([a, op, b]) => `${a} ${op} ${b}`),
    fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => `(${a}) ?? (${b})`),
    tie('tree').map((a) => `(${a})`),
    fc.tuple(fc.constantFrom('!', '- ', '+ '), tie('tree')).map(([op, a]) => `${op}(${a})`),
    fc.tuple(tie('tree'), tie('tree'), tie('tree')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => `\`\${${a}}-\${${b}}\``),
    fc
      .tuple(
        tie('tree'),
        fc.constantFrom(
          'toLowerCase()',
          'toUpperCase()',
          'includes("a")',
          'startsWith("t")',
          'endsWith("t")',
          'length',
          'missing',
        ),
      )
      .map(([a, method]) => `(\`\${${a}}\`).${method}`),
  ),
}));

/** The value in JavaScript. The operators are the same; only the accessible data differ. */
function inJavaScript(expression: string): { ok: boolean; value?: unknown } {
  try {
    const interpret = new Function('space', 'page', 'visitor', `"use strict"; return (${expression});`);
    return { ok: true, value: interpret(scope['space'], scope['page'], scope['visitor']) as unknown };
  } catch {
    return { ok: false };
  }
}

describe('any text', () => {
  test('gives a value or an error, quickly, and never leaves the data', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: anyUnit, maxLength: 200 }), fc.string({ maxLength: 200 })),
        expectHarmless,
      ),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }).map((parts) => parts.join('')),
        expectHarmless,
      ),
      { numRuns: 1500 },
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 20 }).map((parts) => parts.join(' ')),
        expectHarmless,
      ),
      { numRuns: 700 },
    );
  });

  test('that is a complete expression has the same value in JavaScript', () => {
    let compared = 0;
    fc.assert(
      fc.property(tree, (expression) => {
        // JavaScript refuses to mix these without brackets; here ?? has the lowest precedence.
        fc.pre(
          expression.length <= MAX_LENGTH && !/\?\?/.test(expression.replace(/\(.*?\) \?\? \(.*?\)/gs, '')),
        );
        const actual = evaluate(expression, scope);
        const expected = inJavaScript(expression);
        expectHarmless(expression);
        if (!expected.ok || (!actual.ok && /at most|too long/.test(actual.error.message))) return;
        compared++;
        expect(actual, expression).toEqual({ ok: true, value: expected.value });
      }),
      { numRuns: 1500 },
    );
    expect(compared).toBeGreaterThan(700);
  });
});

describe('the slowest expression', () => {
  const text = 'a'.repeat(MAX_TEXT);
  const needle = `${'a'.repeat(255)}b`;
  const list = Array.from({ length: 1000 }, (_, i) => `${i}`);
  const data: Scope = { t: text, s: needle, l: list };
  const fill = (part: string) => part.repeat(Math.floor(MAX_LENGTH / part.length));

  test.each([
    `${fill('t.includes(s)||').slice(0, -2)}`,
    `${fill('l.includes(s)||').slice(0, -2)}`,
    `${fill('t===t+""&&').slice(0, -2)}`,
    `${fill('t.toUpperCase()<t&&').slice(0, -2)}`,
    fill('`${'),
    fill('1'),
    fill('"\\u0041'),
    fill('a?.b['),
    fill('1e'),
  ])('takes less than 5 ms: %s', (expression) => {
    const evaluated = () => evaluate(expression.slice(0, MAX_LENGTH), data);
    const times = Array.from({ length: 5 }, () => cpuTimeOf(evaluated));
    expect(Math.min(...times)).toBeLessThan(5);
  });
});
