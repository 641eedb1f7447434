export { readDocument } from './bodies.ts';
export { engineOf, isLarge, MAX_INLINE, type Engine, type Work } from './engine.ts';
export { needsPreparing, NOTHING_PREPARED, prepareBatch, type PreparedBatch } from './prepare.ts';
export { contentFamily, type Family } from './family.ts';
export { Batch, MAX_BATCH } from './batch.ts';
export { applyBatch, type AppliedBatch } from './edit.ts';
export {
  bringsFiles,
  MAX_FILE,
  storageName,
  storeBytes,
  storeFilesOf,
  type StoredFiles,
} from './files/new-files.ts';
export { isStored } from './files/store.ts';
export { importFolder, type Imported } from './import-folder.ts';
export { exportFolder, type ExportedFile } from './export-folder.ts';
export { bytesOf, loaderOf, readText, withObjects } from './objects.ts';
export { CONTENT_COLUMNS, primaryContent, revisions, type ContentRow } from './policy.ts';
export { presentOutcomes } from './present-edited.ts';
export { documentIdOf, downloadPath, presentFile, presentMergedFrom } from './present.ts';
export { Publishing } from './publish.ts';
export { storeChanges, type Base, type Content } from './store-changes.ts';
export { Edited, ENTRY, JsonDocument, pageId } from './schema.ts';
export { columnOf, rootOf, treeAt } from './trees.ts';
export { sentDocument } from './sent-document.ts';
