/** Three-way merge of the content of revisions: by entry, field and block. Pure. */
export type { BlockConflict, Conflict, Use } from './conflicts/conflict.ts';
export { mergeContent, type Merged } from './merge-content.ts';
export { resolveConflict, type Resolved } from './conflicts/resolve-conflict.ts';
export { resolveAgreedBlocks } from './conflicts/resolve-agreed-blocks.ts';
export type { RunBodyTasks } from './body-tasks.ts';
export { rebaseConflicts } from './conflicts/rebase-conflicts.ts';
export { followKeys } from './follow-blocks.ts';
export { revertBlocks, unknownBlocks } from './revert-blocks.ts';
export { subjectOf, updateOpenConflict } from './conflicts/update-open-conflict.ts';
