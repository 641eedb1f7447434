/**
 * Import and export of spaces as folders of Markdown. An export without changes equals the imported folder byte for
 * byte. Pure: bytes in, texts and hashes out.
 */
export { CONFIGURATION } from './configuration.ts';
export {
  movedLinksInSteps,
  newExportInSteps,
  type BodyRecord,
  type ExportContext,
} from './export-context.ts';
export { coverOf, statedFields } from './frontmatter-fields.ts';
export { freePaths, includePath } from './export-paths.ts';
export { graftInSteps, type Dropped, type Grafted } from './graft.ts';
export {
  readMarkdown,
  splitMarkdown,
  type MarkdownFile,
  type MarkdownKind,
  type StoredMarkdown,
} from './markdown-file.ts';
export { contentKinds, MAX_ITEMS, readFolder, readFolderInSteps, type FolderContent } from './read-folder.ts';
export type { FolderFile, FolderWarning, ReadFolderOptions } from './import-context.ts';
export {
  bringsHead,
  ownTitle,
  splitInclude,
  splitPage,
  splitSentPage,
  textOf,
  type FileParts,
} from './split-file.ts';
export type { OutlineRow } from './outline.ts';
export { readRedirects } from './redirects.ts';
export { replaceBodiesInSteps } from './replace-bodies.ts';
export { readSiteConfiguration, SITE_CONFIGURATIONS } from './site-configuration.ts';
export { parseSummary } from './summary/parse-summary.ts';
export { isBodyChange, listBodiesInSteps } from './write-bodies.ts';
export {
  folderPaths,
  folderPathsInSteps,
  listFilesInSteps,
  untitledPagesInSteps,
  writeBody,
  writeFolder,
  type BodyFile,
  type WrittenFile,
} from './write-folder.ts';
export { recordOwnTitle } from './write-page.ts';
