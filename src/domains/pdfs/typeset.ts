import { parentPort } from 'node:worker_threads';
import type { Body } from '../../content-engine/evaluation/index.ts';
import { buildTree, type ContentRecord } from '../../content-engine/tree/index.ts';
import { BookTooLong, typesetBook, type Typeset } from '../../content-engine/render/typst/index.ts';
import { answerRequests } from '../../platform/pdf/worker-thread.ts';
import { bookOf, type Selection, type Cover } from './assemble-book.ts';

/** Runs in a thread: reading and typesetting a book takes seconds. */

export interface TypesetTask {
  readonly records: readonly ContentRecord[];
  /** The bodies of shown pages and of reusable contents, by id. */
  readonly bodies: ReadonlyMap<string, Body>;
  readonly selection: Selection;
  readonly cover: Cover;
}

export type TypesetResult = Typeset | 'too-long';

function perform({ records, bodies, selection, cover }: TypesetTask): TypesetResult {
  try {
    return typesetBook(bookOf(buildTree(records), selection, bodies, cover));
  } catch (error) {
    if (error instanceof BookTooLong) return 'too-long';
    throw error;
  }
}

if (!parentPort) throw new Error('This function runs only in a worker thread.');
answerRequests(parentPort, perform);
