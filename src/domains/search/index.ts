export { searchPages, type FoundPage } from './search-pages.ts';
export { presentPages, sectionScore } from './present.ts';
export { SearchSpace } from './schema.ts';
export { searchSpaces } from './search.ts';
export { titlesAboveIn } from './titles-above.ts';
