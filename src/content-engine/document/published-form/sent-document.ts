import { checkDocument } from '../check/check-document.ts';
import type { Problem } from '../check/shape.ts';
import { sizeOfDocument } from '../limits.ts';
import type { JSONDocument } from '../nodes.ts';
import { fromPublishedForm } from './from-published-form.ts';

/** A document that a client sent as the engine works on it, or its first problem. Throws `BudgetExceeded`. */
export function readSentDocument(
  sent: object,
): { readonly document: JSONDocument } | { readonly problem: Problem } {
  sizeOfDocument(sent);
  const checked = checkDocument(sent);
  return 'document' in checked ? checkDocument(fromPublishedForm(checked.document)) : checked;
}
