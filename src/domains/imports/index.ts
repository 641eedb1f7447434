export { addImported } from './folder/add-imported.ts';
export { createImportQueue } from './admission.ts';
export { createImportCounters } from './counters.ts';
export { ImportError } from './folder/imported-folder.ts';
export { importRuns } from './policy.ts';
export type { ImportedFolder, ImportWork, Skipped } from './folder/imported-folder.ts';
export {
  folderArchive,
  kindOf,
  openArchive,
  readArchive,
  type Archive,
  type ArchiveKind,
} from './readers/index.ts';
