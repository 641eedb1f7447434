export { copyLinks, deleteIndex, listUnindexedSpaces } from './store.ts';
export type { TargetColumns } from './link-row.ts';
export { indexLinks, type BodyFacts, type ContentChange } from './index-links.ts';
