export { rowsInside, spaces, type SpaceRow } from './policy.ts';
export { keyOf, presentSpace, shareKeyOf, siteUrl, type ShareKey } from './present.ts';
export { shareKey, Space } from './schema.ts';
export { findSpace, findSpaces, findStore, getSpace, lockSpace, queueOfSpace, setStore } from './store.ts';
export { createSpaceIn, copyWithGrants } from './create.ts';
