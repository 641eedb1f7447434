import { BODY_BUDGET, ComparisonBudget } from '../../diff/index.ts';
import { parse, type Parsed } from '../parse.ts';
import { sameDocument, type HrefOf, type JSONDocument, type Resolve } from '../../document/index.ts';
import { RewriteLevels } from './rewrite-levels.ts';
import { lineEndsOf } from './line-ends.ts';
import { mergeBlocks } from './merge-blocks.ts';
import { footnotesOf } from './footnotes.ts';
import { representable } from './representable.ts';
import { originalSourceOf } from './original-source.ts';
import { toMarkdown } from '../write/writer.ts';

export interface EditOptions {
  /** The resolver that `parseDocument` used when the document was read. */
  readonly resolve?: Resolve;
  readonly hrefOf?: HrefOf;
}

/** Attempts to write a text that is read back as the edited document. */
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
  const originalSource = originalSourceOf(parsed, options.resolve);
  const levels = new RewriteLevels();
  let expected = edited;
  let text = parsed.body;
  for (let round = 0; round < ROUNDS; round++) {
    const isLast = round === ROUNDS - 1;
    const footnotes = footnotesOf(parsed, edited, !isLast, budget);
    let actual = parsed.document;
    for (const spaced of [false, true]) {
      text = mergeBlocks(parsed, edited.nodes, {
        ...options,
        originalSource,
        footnotes,
        levels,
        budget,
        spaced,
      });
      actual = parse(text, options.resolve).document;
      if (sameDocument(actual, expected)) return text;
    }
    if (round === 0) {
      const nodes = representable(edited.nodes, originalSource, options, levels);
      expected = { ...edited, nodes };
      if (sameDocument(actual, expected)) return text;
    }
    if (!levels.raise(expected.nodes, actual.nodes)) round = Math.max(round, ROUNDS - 2);
  }
  const whole = toMarkdown(edited, options);
  return sameDocument(parse(whole, options.resolve).document, edited) ? whole : text;
}
