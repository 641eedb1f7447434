export { indexPages } from './index-pages.ts';
export { reindexSegment } from './reindex-segment.ts';
export type { IndexedPage, IndexedSection } from './storable-pages.ts';
export { copySpaceIndex as copyIndex, listOutdatedSpaces } from './store.ts';
export { searchPages, type FoundPage } from './search-pages.ts';
export { presentPages } from './present.ts';
export { SearchSpace } from './schema.ts';
export { searchSpaces } from './search.ts';
