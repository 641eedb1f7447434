/**
 * Import and export of spaces as folders of Markdown. An export without changes equals the imported folder byte for
 * byte. Pure: bytes in, texts and hashes out.
 */
export { CONFIGURATION } from './configuration.ts';
export { exportBody, newExport, type BodyRecord, type ExportContext } from './write/export-context.ts';
export { coverOf, statedFields } from './frontmatter-fields.ts';
export { freePaths, includePath } from './write/export-paths.ts';
export { graft, type Dropped } from './graft.ts';
export {
  mdxWarnings,
  readMarkdown,
  splitMarkdown,
  type MarkdownKind,
  type StoredMarkdown,
} from './markdown-file.ts';
export { contentKinds, MAX_ITEMS, readFolder, type FolderContent } from './read/read-folder.ts';
export type { FolderFile, FolderWarning, ReadFolderOptions } from './read/import-context.ts';
export {
  bringsHead,
  ownTitle,
  splitInclude,
  splitPage,
  splitPageSource,
  splitSentPage,
  textOf,
  type FileParts,
} from './split-file.ts';
export { isNavigationFile } from './navigation/read-navigation.ts';
export { isPagePath } from './page-path.ts';
export type { OutlineRow } from './read/outline.ts';
export { readRedirects } from './redirects.ts';
export { replaceBodies } from './read/replace-bodies.ts';
export { readSiteConfiguration, SITE_CONFIGURATIONS } from './site-configuration.ts';
export { parseSummary } from './summary/parse-summary.ts';
export { isBodyChange, listBodies } from './write/write-bodies.ts';
export { pairSimilar, unitsOf, type TextUnits } from './similar-texts.ts';
export {
  folderPaths,
  listFiles,
  untitledPages,
  writeBody,
  type BodyFile,
  type WrittenFile,
} from './write/write-folder.ts';
export { recordOwnTitle } from './write/write-page.ts';
