/** Comparison of two lists in a bounded number of steps. Pure. */
export { ComparisonBudget, BODY_BUDGET, MERGE_BUDGET } from './comparison-budget.ts';
export { pairUp } from './pair-up.ts';
export type { Pairs } from './pairs.ts';
