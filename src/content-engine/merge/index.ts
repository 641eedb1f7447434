/** Three-way merge of what revisions hold: entry by entry, field by field, block by block. Pure. */
export type {
  BlockConflict,
  Conflict,
  DeleteConflict,
  FieldConflict,
  Place,
  PositionConflict,
  Standing,
  Use,
} from './conflict.ts';
export { mergeContent, type Merged, type Sides } from './merge-content.ts';
export { resolveConflict, type Resolved } from './resolve.ts';
export { bodyTasks, type BodyResult, type RunBodyTasks } from './body-tasks.ts';
export type { Carried } from './carry-block-conflicts.ts';
export { carryConflicts } from './carry-conflict.ts';
export { carryKeys } from './carry-keys.ts';
export { revertBlocks, unknownBlocks } from './revert-blocks.ts';
export { renewConflict, subjectOf } from './renew-conflict.ts';
