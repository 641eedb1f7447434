import { parse, type Parsed } from './analyse.ts';
import { canonicalBlocks, sameDocument } from './canonical.ts';
import type { FragmentNode, JSONDocument } from './document.ts';
import { Merger, type Style } from './merge-blocks.ts';
import type { HrefOf, Resolve } from './refs.ts';
import { Writer, toMarkdown } from './write/writer.ts';

export interface EditOptions {
  /** As given to `parseDocument` when the document was read. */
  readonly resolve?: Resolve;
  readonly hrefOf?: HrefOf;
}

/** From the least that may change to the most; the first that is read back as what was meant is taken. */
const STYLES: readonly Style[] = [
  { nested: true, spaced: false },
  { nested: true, spaced: true },
  { nested: false, spaced: true },
];

/** The body with the blocks that differ in the edited document rewritten, and all other bytes as they were. */
export function editMarkdown(body: string, edited: JSONDocument, options: EditOptions = {}): string {
  const parsed = parse(body, options.resolve);
  if (sameDocument(parsed.document, edited)) return body;
  const labels = labelsOf(parsed);
  let text = body;
  for (const style of STYLES) {
    const writer = new Writer(options.hrefOf, labels.taken, labels.known);
    text = withNotes(new Merger(parsed, writer, style).merge(edited.nodes), writer.notes(), endOf(body));
    if (sameDocument(parse(text, options.resolve).document, edited)) return text;
  }
  // What Markdown cannot say is lost either way: then as little as possible is rewritten.
  const whole = toMarkdown(edited, options).replaceAll('\n', endOf(body));
  return sameDocument(parse(whole, options.resolve).document, edited) ? whole : text;
}

const endOf = (body: string): string => (body.includes('\r\n') ? '\r\n' : '\n');

/** Footnotes of rewritten blocks that did not exist before come last. */
function withNotes(text: string, notes: readonly string[], end: string): string {
  if (notes.length === 0) return text;
  return `${text.trimEnd()}${end}${end}${notes.join('\n\n').replaceAll('\n', end)}${end}`;
}

/** Labels of the footnotes there are, and which body each has. */
function labelsOf({ footnotes }: Parsed): {
  taken: ReadonlySet<string>;
  known: (fragments: readonly FragmentNode[]) => string | undefined;
} {
  const bodies = new Map<string, string>();
  for (const [label, token] of footnotes) {
    const nodes = (token.children ?? []).flatMap((child) => child.nodes);
    bodies.set(JSON.stringify(canonicalBlocks(nodes)), label);
  }
  return {
    taken: new Set(footnotes.keys()),
    known: (fragments) => bodies.get(JSON.stringify(canonicalBlocks(fragments.flatMap((one) => one.nodes)))),
  };
}
