export { presentRedirect } from './present.ts';
export { decodeSegment, sourceKey } from './source-key.ts';
export { findRedirect, type FoundRedirect } from './store.ts';
