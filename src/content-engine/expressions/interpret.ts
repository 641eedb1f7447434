import { Failure, type Expression } from './expression.ts';
import { bounded, compute, type Value } from './operators.ts';

export type Scope = Readonly<Record<string, unknown>>;

/** Names that lead out of data. Refused even where data has them. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/** Looking for a long text in a long text is the one thing that could take long. */
const MAX_SOUGHT = 256;

/** What an optional member of nothing gives: it ends the chain around it. */
const NOTHING = Symbol('nothing');
type Step = Value | typeof NOTHING;

/** The value of an expression, or a Failure thrown. */
export function run(expression: Expression, scope: Scope): Value {
  const value = step(expression, scope);
  return value === NOTHING ? undefined : value;
}

function step(expression: Expression, scope: Scope): Step {
  switch (expression.type) {
    case 'literal':
      return expression.value;
    case 'name':
      return readName(scope, expression.name);
    case 'list':
      return expression.items.map((item) => run(item, scope));
    case 'template':
      return expression.parts.reduce<Value>((text, part) => compute('+', text, run(part, scope)), '');
    case 'member':
    case 'call':
      return stepInto(expression, scope);
    case 'chain':
      return run(expression.of, scope);
    case 'unary':
      return runUnary(expression.operator, run(expression.of, scope));
    case 'binary':
      return runBinary(expression, scope);
    case 'conditional':
      return run(run(expression.test, scope) ? expression.whenTrue : expression.whenFalse, scope);
  }
}

function stepInto(expression: Extract<Expression, { type: 'member' | 'call' }>, scope: Scope): Step {
  const of = step(expression.of, scope);
  if (of === NOTHING) return NOTHING;
  if (expression.isOptional && (of === undefined || of === null)) return NOTHING;
  if (expression.type === 'member') return readMember(of, run(expression.key, scope));
  const given = expression.given.map((value) => run(value, scope));
  return call(of, expression.method, given[0]);
}

function runUnary(operator: '!' | '-' | '+', value: Value): Value {
  if (operator === '!') return !value;
  return operator === '-' ? compute('*', value, -1) : compute('-', value, 0);
}

function runBinary({ operator, left, right }: Extract<Expression, { type: 'binary' }>, scope: Scope): Value {
  const first = run(left, scope);
  if (operator === '&&') return first ? run(right, scope) : first;
  if (operator === '||') return first ? first : run(right, scope);
  if (operator === '??') return first ?? run(right, scope);
  const second = run(right, scope);
  return operator === 'in' ? isIn(first, second) : compute(operator, first, second);
}

function readName(scope: Scope, name: string): Value {
  if (FORBIDDEN.has(name) || !Object.hasOwn(scope, name)) throw new Failure(`There is no ${name}`);
  return ownValue(scope, name);
}

function readMember(of: Value, key: Value): Value {
  const name = keyOf(key);
  if (of === undefined || of === null) throw new Failure(`Cannot read ${name} of ${of}`);
  if (typeof of === 'string' || Array.isArray(of)) {
    if (name === 'length') return of.length;
    return Object.hasOwn(Object(of), name) ? ownValue(Object(of), name) : undefined;
  }
  return typeof of === 'object' ? ownValue(of, name) : undefined;
}

function keyOf(key: Value): string {
  if (typeof key !== 'string' && typeof key !== 'number')
    throw new Failure('A member name must be a string or a number');
  const name = String(key);
  if (FORBIDDEN.has(name)) throw new Failure(`${name} cannot be read`);
  return name;
}

/** Own data only: no getter is run, and no function is handed out. */
function ownValue(of: object, name: string): Value {
  const value: unknown = Object.getOwnPropertyDescriptor(of, name)?.value;
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return undefined;
  return bounded(value as Value);
}

function isIn(key: Value, of: Value): boolean {
  if (typeof of !== 'object' || of === null)
    throw new Failure('Only an object or a list can contain a value');
  const name = keyOf(key);
  return Object.hasOwn(of, name);
}

function call(of: Value, method: string, given: Value): Value {
  if (Array.isArray(of) && method === 'includes') return Array.prototype.includes.call(of, given);
  if (typeof of !== 'string') throw new Failure(`${method} needs a string`);
  if (method === 'toLowerCase') return bounded(of.toLowerCase());
  if (method === 'toUpperCase') return bounded(of.toUpperCase());
  if (typeof given !== 'string' || given.length > MAX_SOUGHT) {
    throw new Failure(`${method} needs a search string of at most ${MAX_SOUGHT} characters`);
  }
  if (method === 'startsWith') return of.startsWith(given);
  return method === 'endsWith' ? of.endsWith(given) : of.includes(given);
}
