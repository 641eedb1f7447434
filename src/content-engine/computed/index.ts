/** Pages that entries of computed pages have by OpenAPI specifications. Pure. */
export { expandEntry, type Expanded, type ExpandOptions } from './expand.ts';
export { computedTitle, OPENAPI, readSpecEntry, type SpecEntry } from './source.ts';
