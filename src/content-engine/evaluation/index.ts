export { documentOf, visitOf, type Body, type Evaluated } from './document-of.ts';
export { evaluateDocument, type Visit } from './evaluate-document.ts';
export { expandIncludes } from './expand-includes.ts';
export {
  openAPIParts,
  readOpenAPIParts,
  wantedBy,
  type OpenAPIParts,
  type ReadPart,
  type WantedFile,
  type WantedPart,
} from './openapi-parts.ts';
export { othersMarkdown } from './others-markdown.ts';
export { expandOpenAPI } from './expand-openapi.ts';
export { respellHrefs, writeWithHrefs } from './markdown-with-urls.ts';
export { inSpace, referencesIn, refKey, reusableKey, type References } from './references.ts';
export {
  documentFor,
  hasConditions,
  publishedJson,
  readableDocument,
  renderDocument,
  renderMarkdown,
} from './render-body.ts';
export { withWrittenOperations, writtenParts } from './written-operations.ts';
