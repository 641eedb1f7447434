import { isBudgetExceeded } from '../budget.ts';
import { evaluateDocument, type Visit } from './evaluate-document.ts';
import { hrefOf } from '../links/index.ts';
import { plainDocument, toPublishedForm, type JSONDocument, type Resolve } from '../document/index.ts';
import { editMarkdown, parseDocument } from '../markdown/index.ts';

/** The document of a body, as bytes of JSON. */
export function renderDocument(text: string, resolve: Resolve, visit: Visit | undefined): Uint8Array {
  const document = parseDocument(text, { resolve });
  const shown = visit ? evaluateDocument(document, visit) : document;
  return publishedJson(shown);
}

/** The form of the public API, as bytes of JSON. */
export const publishedJson = (document: JSONDocument): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(toPublishedForm(document)));

/** The document of a body as a visitor sees it. */
export const documentFor = (text: string, resolve: Resolve, visit: Visit): JSONDocument =>
  evaluateDocument(parseDocument(text, { resolve }), visit);

/** More than the largest of 1,360 real pages has. Reading and serialising it takes some 50 ms. */
const MAX_READABLE_NODES = 10_000;

/** The document of a short text, such as a comment. A text with more nodes is one plain paragraph. */
export function readableDocument(text: string): JSONDocument {
  try {
    return toPublishedForm(parseDocument(text, { maxNodes: MAX_READABLE_NODES }));
  } catch (error) {
    if (!isBudgetExceeded(error)) throw error;
    return plainDocument(text);
  }
}

/** Whether what a text shows may depend on its visitor. May be wrongly true. */
export const hasConditions = (text: string): boolean => /\{%[\s-]*if|expression/i.test(text);

/** A body with its expressions and conditions evaluated. A text without any need not be read. */
export function renderMarkdown(text: string, resolve: Resolve, visit: Visit): string {
  const document = evaluateDocument(parseDocument(text, { resolve }), visit);
  return editMarkdown(text, document, { resolve, hrefOf });
}
