import { Budget } from '../budget.ts';

/**
 * Maximum number of nodes of a document: blocks, cells, lines of code, links, texts. Of 1,360 real pages the largest has
 * 3,833. The maximum takes about 100 MB of memory while it is read, and 20 MB of JSON.
 */
export const MAX_NODES = 100_000;

/** Costs of reading: a node, a piece of text between two special characters, a value of JSON. */
export const NODE = 10;
export const PIECE = 2;
const VALUE = 0.2;

export const readingBudget = (maxNodes = MAX_NODES): Budget =>
  new Budget(
    maxNodes * NODE,
    `has more than ${maxNodes.toLocaleString('en')} blocks, cells, lines of code or pieces of text. Split it into several pages.`,
  );

/** Estimated source per node, so that sizes of documents and texts are comparable. */
const CHARACTERS_PER_NODE = 25;

/** The estimated length of a sent document as Markdown. Takes any JSON. Throws `BudgetExceeded`. */
export function sizeOfDocument(document: unknown): number {
  // Two budgets, so that a document with the maximum number of nodes can be sent back.
  const [nodes, values] = [readingBudget(), readingBudget()];
  let size = 0;
  const pending: unknown[] = [document];
  while (pending.length > 0) {
    const value = pending.pop();
    values.spend(VALUE);
    if (typeof value === 'string') size += value.length;
    if (typeof value !== 'object' || value === null) continue;
    if ('object' in value && value.object !== 'leaf' && value.object !== 'mark') {
      nodes.spend(NODE);
      size += CHARACTERS_PER_NODE;
    }
    for (const member of Object.values(value)) pending.push(member);
  }
  return size;
}
