export { cachedFacts, cacheFacts, factsOf } from './body-facts.ts';
export { changesBetween } from './changes.ts';
export {
  engineOf,
  engineWithoutThreads,
  isLarge,
  MAX_INLINE,
  readingEngineOf,
  type Engine,
  type Work,
} from './engine.ts';
export { findFormerSlugs } from './former-slugs-store.ts';
export {
  CONTENT_COLUMNS,
  contentCacheTags,
  contentNeeds,
  revisions,
  type ContentRow,
  type GitCommit,
} from './policy.ts';
export {
  documentIdOf,
  downloadPath,
  presentFile,
  presentPage,
  presentReusableContent,
  presentRevisionHead,
  signDownload,
  type Shown,
} from './present.ts';
export { lockLive, lockToPublish, Publishing, requireLive } from './publish.ts';
export { createRevisionAnswerCache } from './read/answers.ts';
export { findWithBody, linkTableIn, readBody, type WithBody } from './read/bodies.ts';
export { contentOperations } from './read/operations-under-prefix.ts';
export { readDocumentById, versionOf } from './read/read.ts';
export { linkTableOf, nameOf, resolveInSlices, targetsOf, withCurrentLinks } from './read/render.ts';
export {
  Changes,
  ChangesQuery,
  documentId,
  DocumentQuery,
  ENTRY,
  File,
  fileId,
  JsonDocument,
  Page,
  pageId,
  ReusableContent,
  Revision,
} from './schema.ts';
export type { Analyses } from './analyse-changed.ts';
export { createGitBlobCache } from './git-blobs.ts';
export { packFiles, unpackFiles, type ManagedFiles } from './git-blobs-store.ts';
export { CollectedAnalyses } from './collected-analyses.ts';
export {
  addText,
  loaderOf,
  readInline,
  readText,
  withTexts,
  type NewTexts,
  type StorageContext,
} from './storage/objects.ts';
export { storeTexts, writeContent, type Base, type Content } from './storage/write-content.ts';
export { readObjects } from './storage/object-store.ts';
export { columnOf, createStorageCaches, rootOf, treeAt } from './storage/trees.ts';
export {
  findPrimary,
  findRoot,
  insertProposedRevision,
  lockPrimary,
  setCommit,
  type Primary,
} from './store.ts';
