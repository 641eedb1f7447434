import { Failure, type BinaryOperator } from './expression.ts';

export type Value = Primitive | readonly Value[] | { readonly [name: string]: Value };
type Primitive = string | number | boolean | null | undefined;

/** Characters of any text that is read, made or answered, and items of any list: no step may take long. */
export const MAX_TEXT = 4096;
const MAX_ITEMS = 1000;

type Operator = Exclude<BinaryOperator, '&&' | '||' | '??' | 'in'>;

/** As JavaScript computes with simple values. Lists and objects are only ever the same or not: they are not converted. */
export function compute(operator: Operator, left: Value, right: Value): Value {
  switch (operator) {
    case '===':
      return left === right;
    case '!==':
      return left !== right;
    case '==':
      return isAlike(left, right);
    case '!=':
      return !isAlike(left, right);
    default:
      return computeSimple(operator, simple(left), simple(right));
  }
}

function computeSimple(
  operator: Exclude<Operator, '===' | '!==' | '==' | '!='>,
  left: Primitive,
  right: Primitive,
): Value {
  // The operators convert simple values themselves; the types only know numbers.
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

function simple(value: Value): Primitive {
  if (typeof value === 'object' && value !== null)
    throw new Failure('A list or an object cannot be an operand');
  return value;
}

/** What `==` means. */
function isAlike(left: Value, right: Value): boolean {
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
