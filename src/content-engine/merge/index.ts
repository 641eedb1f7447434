/** Three-way merge of the content of revisions: by entry, field and block. Pure. */
export type { BlockConflict, Conflict, Use } from './conflict.ts';
export { mergeContent, type Merged } from './merge-content.ts';
export { resolveConflict, type Resolved } from './resolve-conflict.ts';
export { resolveAgreedBlocks } from './resolve-agreed-blocks.ts';
export { bodyTasks, type BodyResult, type RunBodyTasks } from './body-tasks.ts';
export { rebaseConflicts } from './rebase-conflicts.ts';
export { followKeys } from './follow-blocks.ts';
export { revertBlocks, unknownBlocks } from './revert-blocks.ts';
export { subjectOf, updateOpenConflict } from './update-open-conflict.ts';
