import { isBudgetExceeded } from '../../content-engine/budget.ts';
import {
  fromPublishedForm,
  problemIn,
  sizeOfDocument,
  type JSONDocument,
} from '../../content-engine/markdown/index.ts';
import { badRequest, tooLarge } from '../../platform/errors.ts';

export interface SentDocument {
  readonly document: JSONDocument;
  /** About as many characters as its Markdown will have. */
  readonly size: number;
}

/** A document out of a body, or a 400 that says where it is none, and why. */
export function sentDocument(value: object, place: string): SentDocument {
  const size = sizeOf(value, place);
  const sent = requireDocument(value, place);
  return { document: requireDocument(fromPublishedForm(sent), place), size };
}

function requireDocument(value: object, place: string): JSONDocument {
  const problem = problemIn(value);
  if (problem === undefined) return value as JSONDocument;
  const path = place + problem.path;
  throw badRequest(`${path}: ${problem.rule}.`, [{ path, rule: problem.rule }]);
}

function sizeOf(value: object, place: string): number {
  try {
    return sizeOfDocument(value);
  } catch (error) {
    throw isBudgetExceeded(error) ? tooLarge(`${place} ${error.message}`) : error;
  }
}
