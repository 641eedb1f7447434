import parseJson from 'secure-json-parse';
import { checkDocument } from './check/check-document.ts';
import type { Problem } from './check/shape.ts';
import { sizeOfDocument } from './limits.ts';
import type { JSONDocument } from './nodes.ts';
import { fromPublishedForm } from './published-form/from-published-form.ts';

/** A document that a client sent: parsed, or as JSON text. */
export type SentDocument = object | Uint8Array;

/** A sent document as the engine works on it, or its first problem. Throws `BudgetExceeded`. */
export function readSentDocument(
  sent: SentDocument,
): { readonly document: JSONDocument } | { readonly problem: Problem } {
  const read = sent instanceof Uint8Array ? parse(sent) : { value: sent };
  if ('problem' in read) return read;
  sizeOfDocument(read.value);
  const checked = checkDocument(read.value);
  return 'document' in checked ? checkDocument(fromPublishedForm(checked.document)) : checked;
}

function parse(text: Uint8Array): { readonly value: unknown } | { readonly problem: Problem } {
  try {
    const json = new TextDecoder().decode(text);
    return { value: parseJson.parse(json, null, { protoAction: 'remove', constructorAction: 'remove' }) };
  } catch (error) {
    return { problem: { path: '', rule: `must be valid JSON: ${(error as Error).message}` } };
  }
}
