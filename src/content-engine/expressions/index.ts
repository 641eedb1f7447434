/** Expressions of the flavour (`{% if %}`, `condition`, `<code class="expression">`): a small subset of JavaScript, over data only. */
export type { ExpressionError } from './expression.ts';
export {
  checkExpression,
  displayText,
  evaluate,
  evaluateCondition,
  isDeterministic,
  type Evaluation,
} from './evaluate.ts';
export { MAX_TEXT, type Value } from './operators.ts';
export { MAX_LENGTH, MAX_NODES } from './parse.ts';
export type { Scope } from './interpret.ts';
