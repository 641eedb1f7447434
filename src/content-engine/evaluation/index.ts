export { documentOf, visitOf, type Body, type Evaluated } from './document-of.ts';
export { evaluateDocument, type Visit } from './evaluate-document.ts';
export { expandIncludes } from './expand-includes.ts';
export { respellHrefs, writeWithHrefs } from './markdown-with-urls.ts';
export {
  parseBody,
  parsePage,
  resolverIn,
  type BodySource,
  type PageSource,
  type ParsedPage,
  type Targets,
} from './page-source.ts';
export { inSpace, referencesIn, refKey, reusableKey, type References } from './references.ts';
export {
  documentFor,
  hasConditions,
  readableDocument,
  renderDocument,
  renderMarkdown,
} from './render-body.ts';
