import { Budget } from '../budget.ts';

/**
 * Nodes of one document: blocks, cells, lines of code, links, texts. Of 1,360 real pages the largest has 3,833. So many
 * are some 100 MB of memory while they are read, and some 20 MB of JSON.
 */
export const MAX_NODES = 100_000;

/** What reading costs: a node of the document, a piece of text between two special characters, any value of JSON. */
export const NODE = 10;
export const PIECE = 2;
const VALUE = 0.2;

export const readingBudget = (): Budget =>
  new Budget(
    MAX_NODES * NODE,
    `has more than ${MAX_NODES.toLocaleString('en')} blocks, cells, lines of code or pieces of text. Split it into several pages.`,
  );

/** Some characters of source for each node, so that the size of a document compares with that of a text. */
const CHARACTERS_PER_NODE = 25;

/** How much there is to write of a document that was sent, in characters. Throws `BudgetExceeded`. Takes any JSON. */
export function sizeOfDocument(document: unknown): number {
  // Apart from each other: a document that was read with as many nodes as it may have can be sent.
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
