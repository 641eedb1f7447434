/**
 * Spaces as folders of Markdown, in and out. The entries of a space can be read from a folder and written to one; what
 * did not change in between leaves byte for byte as it came. Pure: bytes in, texts and hashes out.
 */
export { CONFIGURATION } from './configuration.ts';
export { coverOf, statedFields } from './frontmatter-fields.ts';
export { freePaths, includePath } from './export-paths.ts';
export { isReadAsText, readFolder, type FolderContent } from './read-folder.ts';
export type {
  DescribedFile,
  FileDescription,
  FolderFile,
  FolderWarning,
  ReadFolderOptions,
} from './import-context.ts';
export { bringsHead, ownTitle, splitInclude, splitSentPage, type Pieces } from './split-file.ts';
export { writeFolder, type WrittenFile } from './write-folder.ts';
