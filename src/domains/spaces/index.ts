export { rowsInside, spaces, type GitSync, type SpaceRow } from './policy.ts';
export { keyOf, presentSpace, shareKeyOf, siteUrl, type ShareKey } from './present.ts';
export { GitInfo, shareKey, Space } from './schema.ts';
export {
  findSpace,
  findSpaces,
  findStore,
  getSpace,
  lockSpace,
  queueOfSpace,
  setGitSync,
  setStore,
} from './store.ts';
export { createSpaceIn, copyWithGrants } from './create.ts';
