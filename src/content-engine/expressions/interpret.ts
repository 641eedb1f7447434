import { Failure, type Expression } from './expression.ts';
import { bounded, compute, type Value } from './operators.ts';

export type Scope = Readonly<Record<string, unknown>>;

/** Names that lead to prototypes. Rejected even if the data has them. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/** Bounds the cost of searching a long text in a long text. */
const MAX_SEARCH_TEXT = 256;

/** The result of `?.` on null or undefined: it ends the enclosing chain. */
const SHORT_CIRCUIT = Symbol('short circuit');
type Step = Value | typeof SHORT_CIRCUIT;

/** The value of an expression. Throws a Failure. */
export function interpret(expression: Expression, scope: Scope): Value {
  const value = step(expression, scope);
  return value === SHORT_CIRCUIT ? undefined : value;
}

function step(expression: Expression, scope: Scope): Step {
  switch (expression.type) {
    case 'literal':
      return expression.value;
    case 'name':
      return readName(scope, expression.name);
    case 'list':
      return expression.items.map((item) => interpret(item, scope));
    case 'template':
      return expression.parts.reduce<Value>((text, part) => compute('+', text, interpret(part, scope)), '');
    case 'member':
    case 'call':
      return stepInto(expression, scope);
    case 'chain':
      return interpret(expression.of, scope);
    case 'unary':
      return interpretUnary(expression.operator, interpret(expression.of, scope));
    case 'binary':
      return interpretBinary(expression, scope);
    case 'conditional':
      return interpret(interpret(expression.test, scope) ? expression.whenTrue : expression.whenFalse, scope);
  }
}

function stepInto(expression: Extract<Expression, { type: 'member' | 'call' }>, scope: Scope): Step {
  const of = step(expression.of, scope);
  if (of === SHORT_CIRCUIT) return SHORT_CIRCUIT;
  if (expression.isOptional && (of === undefined || of === null)) return SHORT_CIRCUIT;
  if (expression.type === 'member') return readMember(of, interpret(expression.key, scope));
  const args = expression.args.map((value) => interpret(value, scope));
  return call(of, expression.method, args[0]);
}

function interpretUnary(operator: '!' | '-' | '+', value: Value): Value {
  if (operator === '!') return !value;
  return operator === '-' ? compute('*', value, -1) : compute('-', value, 0);
}

function interpretBinary(
  { operator, left, right }: Extract<Expression, { type: 'binary' }>,
  scope: Scope,
): Value {
  const first = interpret(left, scope);
  if (operator === '&&') return first ? interpret(right, scope) : first;
  if (operator === '||') return first ? first : interpret(right, scope);
  if (operator === '??') return first ?? interpret(right, scope);
  const second = interpret(right, scope);
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

/** Own data properties only: runs no getter, and returns no function. */
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

function call(of: Value, method: string, argument: Value): Value {
  if (Array.isArray(of) && method === 'includes') return Array.prototype.includes.call(of, argument);
  if (typeof of !== 'string') throw new Failure(`${method} needs a string`);
  if (method === 'toLowerCase') return bounded(of.toLowerCase());
  if (method === 'toUpperCase') return bounded(of.toUpperCase());
  if (typeof argument !== 'string' || argument.length > MAX_SEARCH_TEXT) {
    throw new Failure(`${method} needs a search string of at most ${MAX_SEARCH_TEXT} characters`);
  }
  if (method === 'startsWith') return of.startsWith(argument);
  return method === 'endsWith' ? of.endsWith(argument) : of.includes(argument);
}
