export { bundle, valueAt, type Bundle } from './bundle.ts';
export { requireSpecification } from './check.ts';
export type { ApiOperation, ApiOutline, ApiTag } from './outline.ts';
export { parseFile, type JsonObject } from './parse.ts';
export { SpecificationError } from './specification-error.ts';
export { partsOf } from './view/parts.ts';
export type * from './view/view.ts';
export { exampleRequest, serverUrl, usedSecurity } from './request/request.ts';
export { snippetsOf, type Snippet } from './request/snippets.ts';
