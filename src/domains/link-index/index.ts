export { affectedBy } from './affected-links.ts';
export {
  claimCheck,
  claimCheckOf,
  deleteInAppChecks,
  findCheck,
  isUrlOf,
  listDueUrls,
  listUrlProblems,
  releaseCheck,
  requestCheck,
  saveChecks,
  type CheckedUrl,
  type DueUrl,
  type UrlProblem,
} from './check-store.ts';
export { copyLinks } from './space-store.ts';
export { listCandidates, type Candidate } from './store.ts';
export type { LinkRow, TargetColumns } from './schema.ts';
export { indexLinks, linkChanges, type BodyFacts, type LinkChanges } from './index-links.ts';
export { overlayOf, type LinkOverlay } from './overlay.ts';
