export { affectedBy } from './affected-links.ts';
export { copyLinks, deleteIndex, listCandidates, listUnindexedSpaces, type Candidate } from './store.ts';
export type { TargetColumns } from './schema.ts';
export {
  indexLinks,
  linkChanges,
  type BodyFacts,
  type ContentChange,
  type LinkChanges,
} from './index-links.ts';
export { overlayOf, type LinkOverlay } from './overlay.ts';
