import { evaluateDocument, type Visit } from './evaluation/index.ts';
import { hrefOf } from './links/index.ts';
import { editMarkdown, parseDocument, type Resolve } from './markdown/index.ts';

/** The document of a body, as bytes of JSON. */
export function renderDocument(text: string, resolve: Resolve, visit: Visit | undefined): Uint8Array {
  const document = parseDocument(text, { resolve });
  return new TextEncoder().encode(JSON.stringify(visit ? evaluateDocument(document, visit) : document));
}

/** A body in which expressions have their values, and conditions are decided. */
export function renderMarkdown(text: string, resolve: Resolve, visit: Visit): string {
  const document = evaluateDocument(parseDocument(text, { resolve }), visit);
  return editMarkdown(text, document, { resolve, hrefOf });
}
