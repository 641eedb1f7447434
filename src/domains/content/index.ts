export { Batch, BATCH_JSON_LIMITS, MAX_BATCH, MAX_SOURCE } from './edit/batch.ts';
export type { BatchBase } from './edit/batch-context.ts';
export { applyBatch, type AppliedBatch } from './edit/apply-batch.ts';
export { needsPreparing, NOTHING_PREPARED, prepareBatch, type PreparedBatch } from './edit/prepare-batch.ts';
export { differingIds, looseLinksIn, pinLinks } from './edit/pin-links.ts';
export { presentOutcomes } from './edit/present-outcomes.ts';
export { sentDocument } from './edit/sent-document.ts';
export { answerFile } from './files/answer-file.ts';
export { mayInsertFiles } from './files/batch-files.ts';
export {
  describeFile,
  describeLargeFile,
  MAX_FILE,
  storageName,
  storeAll,
  storeBytes,
  type StoredFile,
} from './files/store-bytes.ts';
export { findUploads, isStored, type FoundUpload } from './files/store.ts';
export { exportFolder, openStored } from './folder/export-folder.ts';
export { bodiesOf, folderOf, type FolderFiles, type FolderSource } from './folder/folder-files.ts';
export {
  changesTo,
  importFiles,
  importFolder,
  type Imported,
  type ImportTarget,
} from './folder/import-folder.ts';
export { MarkdownReader } from './folder/markdown-reader.ts';
export { batchesOf, storeUnlisted, type FolderEntry } from './folder/store-files.ts';
export { primaryContent, uploadTargets } from './policy.ts';
export { Edited } from './schema.ts';
