import { isBudgetExceeded } from '../budget.ts';
import { evaluateDocument, type Visit } from './evaluate-document.ts';
import { hrefOf } from '../links/index.ts';
import { plainDocument, toPublishedForm, type JSONDocument, type Resolve } from '../document/index.ts';
import { editMarkdown, parseDocument } from '../markdown/index.ts';

/** The document of a body, as bytes of JSON. */
export function renderDocument(text: string, resolve: Resolve, visit: Visit | undefined): Uint8Array {
  const document = parseDocument(text, { resolve });
  const shown = visit ? evaluateDocument(document, visit) : document;
  return new TextEncoder().encode(JSON.stringify(toPublishedForm(shown)));
}

/** The document of a body as a visitor sees it. */
export const documentFor = (text: string, resolve: Resolve, visit: Visit): JSONDocument =>
  evaluateDocument(parseDocument(text, { resolve }), visit);

/** The document of a short text. A text that exceeds the budget of nodes is one plain paragraph. */
export function readableDocument(text: string): JSONDocument {
  try {
    return toPublishedForm(parseDocument(text));
  } catch (error) {
    if (!isBudgetExceeded(error)) throw error;
    return plainDocument(text);
  }
}

/** A body with its expressions and conditions evaluated. */
export function renderMarkdown(text: string, resolve: Resolve, visit: Visit): string {
  const document = evaluateDocument(parseDocument(text, { resolve }), visit);
  return editMarkdown(text, document, { resolve, hrefOf });
}
