/**
 * Expressions of the flavour (`{% if %}`, `condition`, `<code class="expression">`): a small subset of JavaScript,
 * over data only.
 */
export {
  checkExpression,
  displayText,
  evaluate,
  evaluateCondition,
  isDeterministic,
  parseCondition,
  type Condition,
} from './evaluate.ts';
export type { Scope } from './interpret.ts';
