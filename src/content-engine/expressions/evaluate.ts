import { Failure, type Expression, type ExpressionError } from './expression.ts';
import { bounded, type Value } from './operators.ts';
import { parse } from './parse.ts';
import { interpret, type Scope } from './interpret.ts';

export type Evaluation =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: ExpressionError };

/** Evaluates an expression. Never throws, and reads only own data properties of the scope. */
export function evaluate(expression: string, scope: Scope): Evaluation {
  try {
    return { ok: true, value: bounded(interpret(parse(expression), scope)) };
  } catch (error) {
    return { ok: false, error: describe(error) };
  }
}

/** Whether conditional content is visible to a reader with this scope. */
export type Condition = (scope: Scope) => boolean;

/** A condition that is parsed once, for many readers. One with an error hides. */
export function parseCondition(expression: string): Condition {
  let parsed: Expression;
  try {
    parsed = parse(expression);
  } catch {
    return () => false;
  }
  return (scope) => {
    try {
      return Boolean(bounded(interpret(parsed, scope)));
    } catch {
      return false;
    }
  };
}

export const evaluateCondition = (expression: string, scope: Scope): boolean =>
  parseCondition(expression)(scope);

/** The syntax error of an expression, for warnings when a page is written. Undefined: it is valid. */
export function checkExpression(expression: string): ExpressionError | undefined {
  try {
    parse(expression);
    return undefined;
  } catch (error) {
    return describe(error);
  }
}

const SAME_FOR_EVERYONE = new Set(['space', 'page']);

/** Whether its value is the same for every visitor: it reads nothing but the space and the page. */
export function isDeterministic(expression: string): boolean {
  try {
    return isSameForEveryone(parse(expression));
  } catch {
    return false;
  }
}

function isSameForEveryone(expression: Expression): boolean {
  switch (expression.type) {
    case 'literal':
      return true;
    case 'name':
      return SAME_FOR_EVERYONE.has(expression.name);
    case 'list':
      return expression.items.every(isSameForEveryone);
    case 'template':
      return expression.parts.every(isSameForEveryone);
    case 'member':
      return isSameForEveryone(expression.of) && isSameForEveryone(expression.key);
    case 'call':
      return isSameForEveryone(expression.of) && expression.args.every(isSameForEveryone);
    case 'chain':
    case 'unary':
      return isSameForEveryone(expression.of);
    case 'binary':
      return isSameForEveryone(expression.left) && isSameForEveryone(expression.right);
    case 'conditional':
      return (
        isSameForEveryone(expression.test) &&
        isSameForEveryone(expression.whenTrue) &&
        isSameForEveryone(expression.whenFalse)
      );
  }
}

/** The text of a value for readers: null and undefined are empty, lists are joined with commas. */
export function displayText(value: Value): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map((item) => displaySimple(item)).join(', ');
  return displaySimple(value);
}

const displaySimple = (value: Value): string =>
  value === undefined || value === null || typeof value === 'object' ? '' : String(value);

/** Other errors come from the data, such as a proxy that throws. */
function describe(error: unknown): ExpressionError {
  if (!(error instanceof Failure)) return { message: 'The expression could not be evaluated' };
  return error.at === undefined ? { message: error.message } : { message: error.message, at: error.at };
}
