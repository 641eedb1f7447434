export { documentOf, visitOf, type Body, type Evaluated } from './document-of.ts';
export { evaluateDocument, type Visit } from './evaluate-document.ts';
