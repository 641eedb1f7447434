export { rowsInside, spaces, type GitSync, type SpaceRow } from './policy.ts';
export { findOpenedSite } from './find-opened-site.ts';
export { presentSpace, shareKeyOf, siteUrl, type OpenedSite, type ShareKey } from './present.ts';
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
