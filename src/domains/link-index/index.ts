export { affectedBy } from './affected-links.ts';
export { copyLinks, deleteIndex, listCandidates, listUnindexedSpaces, type Candidate } from './store.ts';
export type { TargetColumns } from './schema.ts';
export { indexLinks, type BodyFacts, type ContentChange } from './index-links.ts';
