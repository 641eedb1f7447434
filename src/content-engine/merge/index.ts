/** Three-way merge of what revisions hold: entry by entry, field by field, block by block. Pure. */
export type {
  BlockConflict,
  Conflict,
  DeleteConflict,
  FieldConflict,
  Place,
  PositionConflict,
  ConflictBlocks,
  Use,
} from './conflict.ts';
export { mergeContent, type Merged, type Sides } from './merge-content.ts';
export { resolveConflict, type Resolved } from './resolve-conflict.ts';
export { bodyTasks, type BodyResult, type RunBodyTasks } from './body-tasks.ts';
export type { RebasedConflict } from './relocate-conflict-blocks.ts';
export { rebaseConflicts } from './rebase-conflicts.ts';
export { followKeys } from './follow-blocks.ts';
export { revertBlocks, unknownBlocks } from './revert-blocks.ts';
export { updateOpenConflict, subjectOf } from './update-open-conflict.ts';
