export { locateDestination } from './locate-destination.ts';
export { sourceKey } from './source-key.ts';
export { findRedirect, type FoundRedirect } from './store.ts';
