export { changesBetween } from './changes.ts';
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
  hashOfDocumentId,
  presentFile,
  presentPage,
  presentReusableContent,
  presentRevisionHead,
  signDownload,
  type Shown,
} from './present.ts';
export { requireViewableSpecs } from './require-viewable-specs.ts';
export { lockLive, lockToPublish, Publishing, requireLive } from './publish.ts';
export { answered, createRevisionAnswerCache, jsonOf, withMember } from './read/answers.ts';
export { createGitBlobCache } from './read/git-blobs.ts';
export { packFiles, unpackFiles, type ManagedFiles } from './read/git-blobs-store.ts';
export { contentOperations } from './read/operations-under-prefix.ts';
export { readDocumentById, versionOf } from './read/read.ts';
export { withCurrentLinks } from './read/render.ts';
export { writePage, writePages, writeRevision } from './read/write-tree.ts';
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
  PageLayout,
  ReusableContent,
  Revision,
} from './schema.ts';
export {
  findPrimary,
  findRoot,
  insertProposedRevision,
  lockPrimary,
  setCommit,
  type Primary,
} from './store.ts';
