import { BODY_BUDGET, ComparisonBudget } from '../../diff/index.ts';
import { parse, type Parsed } from '../parse.ts';
import { sameDocument, type HrefOf, type JSONDocument, type Resolve } from '../../document/index.ts';
import { Doubts } from './rewrite-levels.ts';
import { lineEndsOf } from './line-ends.ts';
import { mergeBlocks } from './merge-blocks.ts';
import { notesOf } from './notes.ts';
import { sayable } from './representable.ts';
import { spellingOf } from './spelling.ts';
import { toMarkdown } from '../write/writer.ts';

export interface EditOptions {
  /** As given to `parseDocument` when the document was read. */
  readonly resolve?: Resolve;
  readonly hrefOf?: HrefOf;
}

/** How often a text is put together again because it was not read as what was meant. */
const ROUNDS = 5;

/** The body with the blocks that differ in the edited document rewritten, and all other bytes as they were. */
export function editMarkdown(body: string, edited: JSONDocument, options: EditOptions = {}): string {
  const budget = new ComparisonBudget(BODY_BUDGET);
  const { text, restore } = lineEndsOf(body, budget);
  const parsed = parse(text, options.resolve);
  if (sameDocument(parsed.document, edited)) return body;
  return restore(editParsed(parsed, edited, options, budget));
}

function editParsed(
  parsed: Parsed,
  edited: JSONDocument,
  options: EditOptions,
  budget: ComparisonBudget,
): string {
  const spelling = spellingOf(parsed, options.resolve);
  const doubts = new Doubts();
  let meant = edited;
  let text = parsed.body;
  for (let round = 0; round < ROUNDS; round++) {
    const isLast = round === ROUNDS - 1;
    const notes = notesOf(parsed, edited, !isLast, budget);
    let read = parsed.document;
    for (const spaced of [false, true]) {
      text = mergeBlocks(parsed, edited.nodes, { ...options, spelling, notes, doubts, budget, spaced });
      read = parse(text, options.resolve).document;
      if (sameDocument(read, meant)) return text;
    }
    if (round === 0) {
      const nodes = sayable(edited.nodes, spelling, options, doubts);
      meant = { ...edited, nodes };
      if (sameDocument(read, meant)) return text;
    }
    if (!doubts.raise(meant.nodes, read.nodes)) round = Math.max(round, ROUNDS - 2);
  }
  const whole = toMarkdown(edited, options);
  return sameDocument(parse(whole, options.resolve).document, edited) ? whole : text;
}
