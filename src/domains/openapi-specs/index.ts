export { openapiSpecs } from './policy.ts';
export { presentSpec } from './present.ts';
export { findSpec } from './store.ts';
export {
  findSpecBySlug,
  listParts,
  type PartSummary,
  type ShownSpec,
  type WantedPart,
} from './part-store.ts';
export { openAPIParts, readOpenAPIParts, wantedBy, type OpenAPIParts } from './shown-parts.ts';
export { readParts, type ReadPart } from './read-parts.ts';
export { readSpecOutline } from './read-outline.ts';
