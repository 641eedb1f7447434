export { leastRole, rowsInside, spaces, type SpaceRow } from './policy.ts';
export { presentSpace } from './present.ts';
export { Space } from './schema.ts';
export {
  findPrimary,
  findRoot,
  findStore,
  insertRevision,
  listHistory,
  lockPrimary,
  lockSpace,
  moveTo,
  queueOfSpace,
  setStore,
  type GitCommit,
  type HistoryRow,
  type MergedFrom,
  type NewRevision,
  type Primary,
  type RevisionType,
} from './revisions/store.ts';
export { findSpace, findSpaces, getSpace } from './store.ts';
export { createSpaceIn, duplicateOf } from './create.ts';
