export { rowsInside, spaces, type SpaceRow } from './policy.ts';
export { presentSpace } from './present.ts';
export { Space } from './schema.ts';
export { findSpace, findSpaces, findStore, getSpace, lockSpace, queueOfSpace, setStore } from './store.ts';
export { createSpaceIn, copyWithGrants } from './create.ts';
