import { Failure, type BinaryOperator } from './expression.ts';

export type Value = Primitive | readonly Value[] | { readonly [name: string]: Value };
type Primitive = string | number | boolean | null | undefined;

/** Maximum length of every text and list, which bounds the time of each step. */
export const MAX_TEXT = 4096;
const MAX_ITEMS = 1000;

type Operator = Exclude<BinaryOperator, '&&' | '||' | '??' | 'in'>;

/** JavaScript semantics for primitive values. Lists and objects are compared by identity, never converted. */
export function compute(operator: Operator, left: Value, right: Value): Value {
  switch (operator) {
    case '===':
      return left === right;
    case '!==':
      return left !== right;
    case '==':
      return isLooselyEqual(left, right);
    case '!=':
      return !isLooselyEqual(left, right);
    default:
      return computePrimitive(operator, primitiveOf(left), primitiveOf(right));
  }
}

function computePrimitive(
  operator: Exclude<Operator, '===' | '!==' | '==' | '!='>,
  left: Primitive,
  right: Primitive,
): Value {
  // The operators convert primitive values themselves; their TypeScript types accept only numbers.
  const [a, b] = [left as number, right as number];
  switch (operator) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
    case '+':
      return bounded(a + b);
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '%':
      return a % b;
  }
}

function primitiveOf(value: Value): Primitive {
  if (typeof value === 'object' && value !== null)
    throw new Failure('A list or an object cannot be an operand');
  return value;
}

/** The operator `==`. */
function isLooselyEqual(left: Value, right: Value): boolean {
  const isObject = (value: Value) => typeof value === 'object' && value !== null;
  if (isObject(left) || isObject(right)) return left === right;
  // oxlint-disable-next-line eqeqeq -- the author of the expression wrote it
  return left == right;
}

export function bounded<T>(value: T): T {
  if (typeof value === 'string' && value.length > MAX_TEXT) throw new Failure('A string is too long');
  if (Array.isArray(value) && value.length > MAX_ITEMS) throw new Failure('A list is too long');
  return value;
}
