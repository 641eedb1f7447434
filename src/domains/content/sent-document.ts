import { problemIn, type JSONDocument } from '../../content-engine/markdown/index.ts';
import { badRequest } from '../../platform/errors.ts';

/** A document out of a body, or a 400 that says where it is none. */
export function sentDocument(value: object, path: string): JSONDocument {
  const problem = problemIn(value);
  if (problem === undefined) return value as JSONDocument;
  const at = path + problem;
  throw badRequest(`${at}: is no node of a document there.`, [
    { path: at, rule: 'must be built as a document: blocks of blocks, inlines and texts' },
  ]);
}
