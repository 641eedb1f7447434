/** Comparison of two lists in a bounded number of steps. Pure. */
export { Budget, BODY_BUDGET, MERGE_BUDGET } from './budget.ts';
export { pairUp } from './pair-up.ts';
export type { Pairs } from './pairs.ts';
