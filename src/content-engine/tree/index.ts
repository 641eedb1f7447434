/**
 * Records of a revision, the page tree derived from them, and batches of changes to it. Pure: bodies are given by
 * hash.
 */
export { isId, isSafeUrl, type ContentRef, type LinkTable } from './content-ref.ts';
export { fromBlob, inline, isOutOfLine } from './inline.ts';
export { fullLayout, LAYOUT_MEMBERS, LAYOUT_PARTS } from './fields/page-layout.ts';
export {
  fieldOfMember,
  FIELDS_OF,
  memberOf,
  PAGE_FIELD_NAMES,
  PAGE_FIELDS,
  type FrontmatterShapes,
  type PageField,
  type PageFieldDescription,
  type PageFieldOf,
  type PageFieldShape,
  type PageType,
  type SentValue,
  type ShapeOf,
} from './fields/page-fields.ts';
export {
  FOLDER_ID,
  hasSlug,
  isPage,
  VARIABLES_ID,
  type ComputedPage,
  type ComputedSource,
  type ConfigurationText,
  type ContentRecord,
  type DocumentPage,
  type FileRecord,
  type FolderRecord,
  type Generated,
  type GeneratedPart,
  type GroupPage,
  type Inline,
  type LinkPage,
  type PageRecord,
  type PageSource,
  type ReusableContentRecord,
  type SourceText,
  type TagDefinition,
  type VariablesRecord,
} from './records.ts';
export type { CoverRef, PageCover, Variables, VariableValue } from './fields/page-values.ts';
export { sizeOfRecord } from './build/record-size.ts';
export { referencesOf } from './references.ts';
export { foldSlug, MAX_DEPTH, ROOT, slugKey, sourceOf, type Problem, type Tree } from './tree.ts';
export { buildTree } from './build/build-tree.ts';
export { freeNumber } from './names/free-number.ts';
export { freeFilePath, reservedPaths } from './names/file-path.ts';
export { filePathOf, pathsIn, type TreePaths } from './names/tree-paths.ts';
export { foldPath, ownersOf, portablePath } from './names/portable-path.ts';
export { deriveTree } from './build/derive-tree.ts';
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
  pagesAbove,
  parentOf,
  pathOf,
  variablesOf,
  walkPages,
} from './lookup.ts';
export { MAX_TAG_LENGTH, MAX_TAGS, readPageFields } from './changes/read-page-fields.ts';
export { MAX_VARIABLE_LENGTH, refuseVariables } from './changes/variables.ts';
export { chosenSlug, cleanTitle, MAX_SLUG, MAX_TITLE, slugOf, uniqueSlug } from './names/slug.ts';
export { fillPositions, positionsFor } from './position-keys.ts';
export {
  expandedPages,
  hasGeneratedPlace,
  isAsGenerated,
  settleOrphans,
  withoutExpansions,
} from './expansions.ts';
export { applyChanges } from './changes/apply-changes.ts';
export type { Applied, Change, ChangeError, Outcome, PageFields } from './changes/change.ts';
export { repairRecords } from './repair-records.ts';
