/**
 * Records of a revision, the page tree derived from them, and batches of changes to it. Pure: bodies are given by
 * hash.
 */
export { isId, isSafeUrl, type ContentRef, type LinkTable } from './content-ref.ts';
export { fromBlob, inline, isOutOfLine } from './inline.ts';
export { fullLayout } from './page-layout.ts';
export {
  FOLDER_ID,
  hasSlug,
  isPage,
  VARIABLES_ID,
  type ComputedPage,
  type ComputedSource,
  type ConfigurationText,
  type ContentRecord,
  type CoverRef,
  type DocumentPage,
  type FileRecord,
  type FolderRecord,
  type GroupPage,
  type Inline,
  type LinkPage,
  type PageCover,
  type PageRecord,
  type PageSource,
  type PageType,
  type ReusableContentRecord,
  type SourceText,
  type TagDefinition,
  type Variables,
  type VariablesRecord,
  type VariableValue,
} from './records.ts';
export { sizeOfRecord } from './record-size.ts';
export { referencesOf } from './references.ts';
export { foldSlug, MAX_DEPTH, ROOT, slugKey, sourceOf, type Problem, type Tree } from './tree.ts';
export { buildTree, buildTreeInSteps } from './build-tree.ts';
export { freeNumber } from './free-number.ts';
export { freeFilePath, reservedPaths } from './file-path.ts';
export { filePathOf, pathsIn, type TreePaths } from './tree-paths.ts';
export { foldPath, ownersOf, portablePath } from './portable-path.ts';
export { deriveTree, deriveTreeInSteps } from './derive-tree.ts';
export {
  childrenOf,
  depthOf,
  descendantsOf,
  findByPath,
  findBySource,
  findFile,
  findFirstPage,
  findFolder,
  findPage,
  findReusableContent,
  parentOf,
  pathOf,
  variablesOf,
  walkPages,
} from './lookup.ts';
export { MAX_FIELD_LENGTH, MAX_TAGS, readPageFields } from './changes/page-fields.ts';
export { MAX_VARIABLE_LENGTH, refuseVariables } from './changes/variables.ts';
export { chosenSlug, cleanTitle, MAX_SLUG, MAX_TITLE, slugOf, uniqueSlug } from './slug.ts';
export { positionsFor } from './position-keys.ts';
export { applyChanges, applyChangesInSteps } from './changes/apply-changes.ts';
export type { Applied, Change, ChangeError, Outcome, PageFields } from './changes/change.ts';
export { repairRecords, repairRecordsInSteps } from './repair-records.ts';
