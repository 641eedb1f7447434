export { documentOf, visitOf, type Body, type Evaluated } from './document-of.ts';
export { evaluateDocument, type Visit } from './evaluate-document.ts';
export { documentFor, readableDocument, renderDocument, renderMarkdown } from './render-body.ts';
