export { openapiSpecs } from './policy.ts';
export { createSpecificationFileCache, type SpecificationFile } from './file-parts.ts';
export { presentSpec } from './present.ts';
export { findSpec } from './store.ts';
export {
  findSpecBySlug,
  listParts,
  readSpecificationsState,
  specificationsState,
  type PartSummary,
  type ShownSpec,
} from './part-store.ts';
export { readParts, readSpecParts, type FileOf } from './read-parts.ts';
export { readSpecOutline } from './read-outline.ts';
export type { ReadPart, WantedFile, WantedPart } from '../../content-engine/evaluation/index.ts';
