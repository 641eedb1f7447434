/** Comparison of sequences in a bounded number of steps, and of the records of two revisions. Pure. */
export { BODY_BUDGET, ComparisonBudget, MERGE_BUDGET } from './sequences/comparison-budget.ts';
export { outOfOrder } from './sequences/longest-increasing.ts';
export { pairUp } from './sequences/pair-up.ts';
export type { Pairs } from './sequences/pairs.ts';
export { diffRecords, type SemanticChange } from './records/diff-records.ts';
