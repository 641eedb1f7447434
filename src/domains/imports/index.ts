export { addImported } from './add-imported.ts';
export { createImportQueue } from './admission.ts';
export { createImportCounters } from './counters.ts';
export { ImportError } from './imported-folder.ts';
export type {
  ImportedFolder,
  ImportLimits,
  ImportWork,
  Progress,
  Skipped,
  SourceFile,
} from './imported-folder.ts';
export {
  folderArchive,
  kindOf,
  openArchive,
  readArchive,
  type Archive,
  type ArchiveKind,
} from './readers/index.ts';
