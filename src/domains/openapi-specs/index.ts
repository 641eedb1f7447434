export { openapiSpecs } from './policy.ts';
export { presentSpec } from './present.ts';
export { findSpec } from './store.ts';
export { findSpecBySlug, listParts, type PartSummary, type ShownSpec } from './part-store.ts';
export { readParts } from './read-parts.ts';
export { readSpecOutline } from './read-outline.ts';
export type { ReadPart, WantedPart } from '../../content-engine/evaluation/index.ts';
