import { fromPublishedForm, problemIn, type JSONDocument } from '../../content-engine/markdown/index.ts';
import { badRequest } from '../../platform/errors.ts';

/** A document out of a body, or a 400 that says where it is none, and why. */
export function sentDocument(value: object, place: string): JSONDocument {
  const sent = requireDocument(value, place);
  return requireDocument(fromPublishedForm(sent), place);
}

function requireDocument(value: object, place: string): JSONDocument {
  const problem = problemIn(value);
  if (problem === undefined) return value as JSONDocument;
  const path = place + problem.path;
  throw badRequest(`${path}: ${problem.rule}.`, [{ path, rule: problem.rule }]);
}
