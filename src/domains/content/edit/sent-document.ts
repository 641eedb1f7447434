import { isBudgetExceeded } from '../../../content-engine/budget.ts';
import {
  checkDocument,
  fromPublishedForm,
  sizeOfDocument,
  type JSONDocument,
} from '../../../content-engine/document/index.ts';
import { badRequest, tooLarge } from '../../../platform/api/errors.ts';

export interface SentDocument {
  readonly document: JSONDocument;
  /** About as many characters as its Markdown will have. */
  readonly size: number;
}

/** How a message names a path in the request. */
type Describe = (path: string) => string;

/** A document in a request, or a 400 that names the invalid place and the reason. */
export function sentDocument(value: object, place: string, describe: Describe = String): SentDocument {
  const size = sizeOf(value, describe(place));
  const sent = requireDocument(value, place, describe);
  return { document: requireDocument(fromPublishedForm(sent), place, describe), size };
}

function requireDocument(value: object, place: string, describe: Describe): JSONDocument {
  const checked = checkDocument(value);
  if ('document' in checked) return checked.document;
  const { problem } = checked;
  const path = place + problem.path;
  throw badRequest(`${describe(path)}: ${problem.rule}.`, [{ path, rule: problem.rule }]);
}

function sizeOf(value: object, place: string): number {
  try {
    return sizeOfDocument(value);
  } catch (error) {
    throw isBudgetExceeded(error) ? tooLarge(`${place} ${error.message}`) : error;
  }
}
