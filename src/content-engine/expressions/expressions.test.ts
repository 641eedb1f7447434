import { describe, expect, test } from 'vitest';
import {
  checkExpression,
  displayText,
  evaluate,
  evaluateCondition,
  isDeterministic,
  type Scope,
} from './index.ts';
import { MAX_TEXT } from './operators.ts';
import { MAX_LENGTH } from './parse.ts';

const scope: Scope = {
  space: { vars: { version: '2.1', seats: 5, beta: true, 'dashed-name': 'yes', empty: '' } },
  page: { vars: { name: 'Install' } },
  visitor: { claims: { plan: 'pro', roles: ['admin', 'dev'], unsigned: { role: 'editor', n: null } } },
};

function valueOf(expression: string, data: Scope = scope): unknown {
  const result = evaluate(expression, data);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

const errorOf = (expression: string, data: Scope = scope) => {
  const result = evaluate(expression, data);
  return result.ok ? undefined : result.error;
};

describe('an expression', () => {
  test.each<[string, unknown]>([
    ['space.vars.version', '2.1'],
    ['space.vars["dashed-name"]', 'yes'],
    ['page.vars.name + " " + space.vars.version', 'Install 2.1'],
    ['visitor.claims.unsigned.role === "editor"', true],
    ['visitor.claims.unsigned.missing', undefined],
    ['!visitor.claims.unsigned.missing', true],
    ['visitor.claims.unsigned.missing?.deep.er', undefined],
    ['(visitor.claims.missing ?? "free") === "free"', true],
    ['visitor.claims.roles.includes("admin")', true],
    ['visitor.claims.roles.length > 1 && space.vars.beta', true],
    ['visitor.claims.roles[1]', 'dev'],
    ['visitor.claims.roles[7]', undefined],
    ['"plan" in visitor.claims', true],
    ['"toString" in visitor.claims', false],
    ['["free", "pro"].includes(visitor.claims.plan)', true],
    ['visitor.claims.plan.toUpperCase().startsWith("P")', true],
    ['space.vars.seats * 2 % 3', 1],
    ['space.vars.seats > 3 ? "many" : space.vars.seats > 1 ? "few" : "one"', 'many'],
    ['`${page.vars.name} ${`v${space.vars.version}`}!`', 'Install v2.1!'],
    ["'it\\'s \\u0041\\x42\\u{43}\\n'", "it's ABC\n"],
    ['1 + 2 * 3 - -4', 11],
    ['.5 + 1. + 1e2', 101.5],
    ['true ? false ? 1 : 2 : 3', 2],
    ['false?.5:1', 1],
    ['"x" == 1 || null == undefined', true],
    ['"10" > 9', true],
    ['[] == false', false],
    ['[1, [2]].length', 2],
    ['"héllo".length', 5],
    ['"abc"[1]', 'b'],
    ['  1\n+\t1  ', 2],
  ])('%s', (expression, value) => {
    expect(valueOf(expression)).toEqual(value);
  });

  test.each([
    '',
    '1 +',
    '(1',
    '1)',
    'a = 1',
    'a == = 1',
    '++a',
    'a--',
    '1 2',
    '"open',
    '`open',
    '`${1`',
    '`${}`',
    '}',
    '"a\nb"',
    '/x/',
    'x => x',
    'function () {}',
    'new Date()',
    'a.b()',
    'f(1)',
    '"x".repeat(9)',
    '"x".includes()',
    '"x".toLowerCase(1)',
    '"x"["includes"]("x")',
    'a`b`',
    '{}',
    '{a: 1}',
    'a ? 1',
    '08',
    '1_000',
    '1n',
    '0x10',
    '3px',
    '1..a',
    'a..b',
    'a.',
    'a?.',
    'a[',
    '[1,,2]',
    '"\\u12"',
    '"\\u{110000}"',
    'a; b',
    'a, b',
    'a & b',
    'a ** b',
    'typeof a',
    '@',
    '\u2028"',
  ])('that cannot be parsed is an error: %j', (expression) => {
    expect(errorOf(expression)?.message).toBeTruthy();
    expect(evaluateCondition(expression, scope)).toBe(false);
    expect(checkExpression(expression)).toBeDefined();
  });

  test.each([
    'nobody',
    'this',
    'globalThis',
    'process',
    'space.vars.missing.deep',
    'null.x',
    'undefined["x"]',
    '"a" in "abc"',
    '[] + 1',
    'space.vars + "x"',
    '-visitor',
    '`${visitor}`',
    'visitor < 1',
    '1["toFixed"].x',
    'space[true]',
    'space[space]',
    '5 .includes(1)',
    '"a".includes(1)',
    'visitor.startsWith("a")',
  ])('without a value is an error: %s', (expression) => {
    expect(checkExpression(expression)).toBeUndefined();
    expect(errorOf(expression)?.message).toBeTruthy();
  });

  test('is false for an error, and true for a true value', () => {
    expect(evaluateCondition('visitor.claims.unsigned.role', scope)).toBe(true);
    expect(evaluateCondition('visitor.claims.unsigned.n', scope)).toBe(false);
    expect(evaluateCondition('!visitor.nobody.deep', scope)).toBe(false);
    expect(evaluateCondition('!nobody', scope)).toBe(false);
  });

  test('reports whether its value is the same for every visitor', () => {
    for (const same of [
      '1',
      'space.vars.x',
      'page.vars.a ?? `${space.vars.b}`',
      '["a"].includes(page.vars.x)',
    ]) {
      expect(isDeterministic(same), same).toBe(true);
    }
    for (const other of [
      'visitor',
      'space.vars[visitor.x]',
      '`${visitor.a}`',
      'a?.b',
      '[visitor]',
      '1 ? 2 : visitor',
      '(',
    ]) {
      expect(isDeterministic(other), other).toBe(false);
    }
  });

  test('is shown as text', () => {
    expect(['a', 1, true, null, undefined, ['a', 1, null], { a: 1 }].map(displayText)).toEqual([
      'a',
      '1',
      'true',
      '',
      '',
      'a, 1, ',
      '',
    ]);
  });
});

describe('an expression is bounded', () => {
  test('in length, parts and depth', () => {
    expect(valueOf(`"${'x'.repeat(MAX_LENGTH - 2)}"`)).toHaveLength(MAX_LENGTH - 2);
    expect(errorOf(`"${'x'.repeat(MAX_LENGTH - 1)}"`)?.message).toContain('1024');
    for (const deep of ['(', '[', '!', '-', '`${', '1?', 'a[', 'a?.b[', '1+(']) {
      expect(errorOf(deep.repeat(1024 / deep.length)), deep).toBeDefined();
    }
    expect(errorOf(`${'- '.repeat(500)}1`)?.message).toContain('200');
    expect(errorOf(Array.from({ length: 150 }, () => '1').join('+'))?.message).toContain('200');
    expect(valueOf(Array.from({ length: 100 }, () => '1').join('+'))).toBe(100);
  });

  test('in the length of texts', () => {
    const long = 'x'.repeat(MAX_TEXT - 10);
    expect(errorOf('a + a', { a: long })?.message).toContain('too long');
    expect(errorOf('`${a}${a}`', { a: long })?.message).toContain('too long');
    expect(errorOf('a', { a: `${long}${long}` })?.message).toContain('too long');
    expect(errorOf('a.toUpperCase()', { a: 'ß'.repeat(MAX_TEXT - 10) })?.message).toContain('too long');
    expect(errorOf('a.length', { a: long.repeat(3) })?.message).toContain('too long');
    expect(errorOf('a.includes(1)', { a: Array.from({ length: 1001 }) })?.message).toContain('too long');
    expect(errorOf('a.includes(a)', { a: 'x'.repeat(257) })?.message).toContain('256');
  });
});

describe('an expression reads only own properties of the data', () => {
  const names = [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'valueOf',
    'hasOwnProperty',
    '__defineGetter__',
    '__lookupGetter__',
    'call',
    'at',
    'concat',
  ];
  const roots = [
    'space',
    'space.vars',
    'visitor.claims.roles',
    '"text"',
    '1',
    'true',
    '[]',
    '[1][0]',
    '`t`',
    'space.vars.version',
  ];
  const forms = (root: string, name: string) => [
    `${root}.${name}`,
    `${root}["${name}"]`,
    `${root}['${name.slice(0, 3)}' + '${name.slice(3)}']`,
    `${root}[\`${name}\`]`,
    `${root}?.${name}`,
    `("${name}" in [${root}]) ? 1 : 0`,
  ];

  test('of any name', () => {
    for (const root of roots) {
      for (const expression of names.flatMap((name) => forms(root.match(/^\d/) ? `(${root})` : root, name))) {
        const result = evaluate(expression, scope);
        if (result.ok) expect([undefined, 0], expression).toContain(result.value);
      }
    }
    for (const name of names) expect(evaluate(name, scope).ok, name).toBe(false);
  });

  test('even of hostile data', () => {
    const hostile: Scope = {
      ...(JSON.parse('{"data":{"__proto__":{"x":1},"constructor":"c","prototype":2}}') as Scope),
      made: Object.create({ inherited: 'secret' }) as object,
      code: () => 'ran',
      date: new Date(),
      lying: Object.assign(['a'], { includes: () => 'ran' }),
      get trap() {
        throw new Error('ran');
      },
      proxy: new Proxy(
        {},
        {
          getOwnPropertyDescriptor: () => {
            throw new Error('from the proxy');
          },
        },
      ),
    };
    expect(evaluate('data.constructor', hostile).ok).toBe(false);
    expect(evaluate('data["__proto__"]', hostile).ok).toBe(false);
    expect(valueOf('made.inherited', hostile)).toBeUndefined();
    expect(valueOf('code', hostile)).toBeUndefined();
    expect(valueOf('date.getTime', hostile)).toBeUndefined();
    expect(valueOf('trap', hostile)).toBeUndefined();
    expect(valueOf('lying.includes("b")', hostile)).toBe(false);
    expect(errorOf('proxy.x', hostile)).toEqual({ message: 'The expression could not be evaluated' });
  });
});
