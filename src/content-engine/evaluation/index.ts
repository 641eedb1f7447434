export { documentOf, visitOf, type Body, type Evaluated } from './document-of.ts';
export { evaluateDocument, type Visit } from './evaluate-document.ts';
export { expandIncludes } from './expand-includes.ts';
export { documentFor, readableDocument, renderDocument, renderMarkdown } from './render-body.ts';
