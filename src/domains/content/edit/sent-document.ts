import { isBudgetExceeded } from '../../../content-engine/budget.ts';
import {
  readSentDocument,
  sizeOfDocument,
  type JSONDocument,
} from '../../../content-engine/document/index.ts';
import { badRequest, tooLarge } from '../../../platform/api/errors.ts';

/**
 * A small document in a request, or a 400 that names the invalid place and the reason. `maxSize` limits its estimated length
 * as Markdown.
 */
export function sentDocument(value: object, place: string, maxSize = Infinity): JSONDocument {
  const size = withinBudget(place, () => sizeOfDocument(value));
  if (size > maxSize) throw tooLarge(`${place} is too large. Send less text, or fewer blocks.`);
  const read = withinBudget(place, () => readSentDocument(value));
  if ('document' in read) return read.document;
  const { path, rule } = read.problem;
  throw badRequest(`${place}${path}: ${rule}.`, [{ path: place + path, rule }]);
}

function withinBudget<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw isBudgetExceeded(error) ? tooLarge(`${place} ${error.message}`) : error;
  }
}
