import { Failure, type Expression, type ExpressionError } from './expression.ts';
import { bounded, type Value } from './operators.ts';
import { parse } from './parse.ts';
import { run, type Scope } from './interpret.ts';

export type Evaluation =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: ExpressionError };

/** The value of an expression over data. Whatever both are, it answers, and nothing but own data is reached. */
export function evaluate(expression: string, scope: Scope): Evaluation {
  try {
    return { ok: true, value: bounded(run(parse(expression), scope)) };
  } catch (error) {
    return { ok: false, error: describe(error) };
  }
}

/** Whether something is shown. A condition that fails hides it. */
export function evaluateCondition(expression: string, scope: Scope): boolean {
  const result = evaluate(expression, scope);
  return result.ok && Boolean(result.value);
}

/** Undefined when it can be read. For warnings when a page is written. */
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
    return isSettled(parse(expression));
  } catch {
    return false;
  }
}

function isSettled(expression: Expression): boolean {
  switch (expression.type) {
    case 'literal':
      return true;
    case 'name':
      return SAME_FOR_EVERYONE.has(expression.name);
    case 'list':
      return expression.items.every(isSettled);
    case 'template':
      return expression.parts.every(isSettled);
    case 'member':
      return isSettled(expression.of) && isSettled(expression.key);
    case 'call':
      return isSettled(expression.of) && expression.given.every(isSettled);
    case 'chain':
    case 'unary':
      return isSettled(expression.of);
    case 'binary':
      return isSettled(expression.left) && isSettled(expression.right);
    case 'conditional':
      return isSettled(expression.test) && isSettled(expression.whenTrue) && isSettled(expression.whenFalse);
  }
}

/** What a reader sees of a value: nothing for nothing, lists with commas. */
export function displayText(value: Value): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map((item) => displaySimple(item)).join(', ');
  return displaySimple(value);
}

const displaySimple = (value: Value): string =>
  value === undefined || value === null || typeof value === 'object' ? '' : String(value);

/** Anything but a Failure comes from the data, e.g. a proxy that throws. */
function describe(error: unknown): ExpressionError {
  if (!(error instanceof Failure)) return { message: 'The expression could not be evaluated' };
  return error.at === undefined ? { message: error.message } : { message: error.message, at: error.at };
}
