export { importFolder, type Imported } from './import-folder.ts';
export { exportFolder, type ExportedFile } from './export-folder.ts';
