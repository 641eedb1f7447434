export { Batch, BATCH_JSON_LIMITS, MAX_BATCH, MAX_SOURCE } from './edit/batch.ts';
export type { BatchBase } from './edit/batch-context.ts';
export { applyBatch, type AppliedBatch } from './edit/apply-batch.ts';
export { differingIds, looseLinksIn, pinLinks } from './edit/pin-links.ts';
export { presentOutcomes } from './edit/present-outcomes.ts';
export { sentDocument } from './edit/sent-document.ts';
export { answerFile } from './files/answer-file.ts';
export { mayInsertFiles, storeFilesOf, type StoredFiles } from './files/batch-files.ts';
export { MAX_FILE, storageName, storeBytes, type StoredFile } from './files/store-bytes.ts';
export { findUploads, isStored } from './files/store.ts';
export { exportFolder, openStored } from './folder/export-folder.ts';
export { bodiesOf, folderOf, type FolderFiles, type FolderSource } from './folder/folder-files.ts';
export {
  changesTo,
  importFiles,
  importFolder,
  type ImportTarget,
  type ReadableEntry,
} from './folder/import-folder.ts';
export { readRecords } from './folder/read-records.ts';
export type { StoredFolder } from './folder/folder-to-import.ts';
export { MAX_PAGE, storeFolder } from './folder/store-folder.ts';
export { primaryContent, uploadTargets } from './policy.ts';
export { Edited } from './schema.ts';
