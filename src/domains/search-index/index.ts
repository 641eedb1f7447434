export { indexPages } from './index-pages.ts';
export type { IndexedPage } from './storable-pages.ts';
export { copySearchIndex } from './store.ts';
