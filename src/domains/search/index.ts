export { indexPages, type IndexedPage, type IndexedSection } from './index-pages.ts';
export { copySpaceIndex as copyIndex } from './store.ts';
