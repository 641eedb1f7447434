export { Batch, BATCH_JSON_LIMITS, MAX_BATCH } from './edit/batch.ts';
export { applyBatch, type AppliedBatch } from './edit/apply-batch.ts';
export {
  needsPreparing,
  NOTHING_PREPARED,
  prepareBatch,
  type PreparedBatch,
} from './edit/prepare-batch.ts';
export { presentOutcomes } from './edit/present-outcomes.ts';
export { sentDocument } from './edit/sent-document.ts';
export { mayBringFiles } from './files/batch-files.ts';
export { storageName, storeBytes } from './files/store-bytes.ts';
export { isStored } from './files/store.ts';
export { exportFolder, type ExportedFile } from './folder/export-folder.ts';
export { importFolder, type Imported, type ImportTarget } from './folder/import-folder.ts';
export type { FolderEntry } from './folder/store-files.ts';
export { primaryContent } from './policy.ts';
export { Edited } from './schema.ts';
