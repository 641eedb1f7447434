import { parentPort } from 'node:worker_threads';
import { openAPIParts, type Body, type ReadPart } from '../../content-engine/evaluation/index.ts';
import { buildTree, type ContentRecord } from '../../content-engine/tree/index.ts';
import { BookTooLong, typesetBook, type Typeset } from '../../content-engine/render/typst/index.ts';
import { answerRequests } from '../../platform/pdf/worker-thread.ts';
import { bookOf, type Selection, type Cover } from './assemble-book.ts';

/** Runs in a thread: reading and typesetting a book takes seconds. */

export interface TypesetTask {
  /**
   * JSON of each record, and of each body of a shown page or reusable content with its id. Strings are copied to a thread
   * in one piece, objects member by member, in one turn of the event loop.
   */
  readonly records: readonly string[];
  readonly bodies: readonly string[];
  /** JSON of each part of a specification that they show, with its key. */
  readonly parts: readonly string[];
  readonly selection: Selection;
  readonly cover: Cover;
}

export type TypesetResult = Typeset | 'too-long';

function perform({ records, bodies, parts, selection, cover }: TypesetTask): TypesetResult {
  try {
    const tree = buildTree(records.map((text) => JSON.parse(text) as ContentRecord));
    const byId = new Map(bodies.map((text) => JSON.parse(text) as readonly [id: string, Body]));
    const byKey = new Map(parts.map((text) => JSON.parse(text) as readonly [key: string, ReadPart]));
    return typesetBook(bookOf(tree, selection, byId, cover, openAPIParts(byKey)));
  } catch (error) {
    if (error instanceof BookTooLong) return 'too-long';
    throw error;
  }
}

if (!parentPort) throw new Error('This function runs only in a worker thread.');
answerRequests(parentPort, perform);
