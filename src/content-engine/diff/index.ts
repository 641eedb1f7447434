/** Comparison of two lists in a bounded number of steps. Pure. */
export { ComparisonBudget, BODY_BUDGET, MERGE_BUDGET } from './sequences/comparison-budget.ts';
export { pairUp } from './sequences/pair-up.ts';
export type { Pairs } from './sequences/pairs.ts';
