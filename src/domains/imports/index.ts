export { addImported } from './add-imported.ts';
export { createImportTurns } from './admission.ts';
export { ImportError } from './imported-folder.ts';
export type {
  ImportedFolder,
  ImportLimits,
  ImportWork,
  Progress,
  Skipped,
  SourceFile,
} from './imported-folder.ts';
export { readFiles, readSource } from './readers/index.ts';
