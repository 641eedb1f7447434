import { preInCell } from '../blocks/code.ts';
import type { BlockWriter } from '../blocks/kind.ts';
import {
  defaultHref,
  explicitHref,
  isEmpty,
  type BlockNode,
  type ContentRef,
  type FragmentNode,
  type HrefKind,
  type HrefOf,
  type InlineContent,
  type JSONDocument,
} from '../../document/index.ts';
import { writeBlock } from '../blocks/index.ts';
import { flatText } from './flat-text.ts';
import { htmlBlocks, htmlInlines } from './html.ts';
import { writeInlines, type Layout } from './rich-text.ts';
import type { InlineWriting } from './inline-nodes.ts';

export interface WriteOptions {
  /** The address of a reference from this page. Without it, references other than URLs get the scheme `octavo:`. */
  readonly hrefOf?: HrefOf;
}

/** The Markdown of a document. It ends with a line feed unless it is empty. */
export function toMarkdown(document: JSONDocument, options: WriteOptions = {}): string {
  const writer = new Writer(options);
  const text = [writer.blocks(document.nodes), ...writer.notes()].filter((part) => part !== '').join('\n\n');
  return text === '' ? '' : `${text}\n`;
}

/** The text that the written text becomes part of. */
export interface Surroundings extends WriteOptions {
  /** Labels of existing footnotes. */
  readonly taken?: ReadonlySet<string>;
  /** The label of the footnote that has this body. */
  readonly labelOf?: (fragments: readonly FragmentNode[]) => string | undefined;
  /** The existing spelling of a reference or a block. */
  readonly spelledHref?: (ref: ContentRef, kind: HrefKind) => string | undefined;
  readonly spelledBlock?: (block: BlockNode) => string | undefined;
}

/** Separates adjacent lists. */
export const SEAM = '<!---->';

const LIST = /^list-(?:unordered|tasks)$/;

/** Deeper blocks of a sent document are reduced to their text. */
const MAX_LEVELS = 64;

export class Writer implements BlockWriter {
  readonly #around: Surroundings;
  readonly #notes: { readonly label: string; readonly text: string }[] = [];
  readonly #inlines: InlineWriting;
  #level = 0;
  #label = 0;

  constructor(around: Surroundings) {
    this.#around = around;
    this.#inlines = {
      href: (ref, kind) => this.href(ref, kind),
      note: (fragments) => this.#note(fragments),
      inner: (nodes, html) =>
        html
          ? htmlInlines(nodes, this.#inlines)
          : writeInlines(nodes, this.#inlines, 'line').replaceAll(']', '\\]').replaceAll('\\\\]', '\\]'),
    };
  }

  blocks(nodes: readonly BlockNode[]): string {
    this.#level++;
    const parts: string[] = [];
    let before: BlockNode | undefined;
    for (const block of nodes) {
      if (isEmpty(block)) continue;
      if (before && joins(before, block)) parts.push(SEAM);
      const text = this.block(block);
      if (text === '') continue;
      parts.push(text);
      before = block;
    }
    this.#level--;
    return parts.join('\n\n');
  }

  block(block: BlockNode): string {
    const spelled = this.#around.spelledBlock?.(block);
    if (spelled !== undefined) return spelled;
    return this.#level <= MAX_LEVELS ? writeBlock(this, block) : flatText(block);
  }

  inlines(nodes: readonly InlineContent[]): string {
    return this.#write(nodes, 'lines');
  }

  line(nodes: readonly InlineContent[]): string {
    return this.#write(nodes, 'line');
  }

  cell(nodes: readonly InlineContent[]): string {
    return this.#write(nodes, 'cell');
  }

  #write(nodes: readonly InlineContent[], layout: Layout): string {
    return writeInlines(nodes, this.#inlines, layout);
  }

  html(nodes: readonly BlockNode[]): string {
    return htmlBlocks(nodes, this.#inlines, (block) =>
      block.type === 'code' ? preInCell(this, block) : this.block(block),
    );
  }

  htmlInlines(nodes: readonly InlineContent[]): string {
    return htmlInlines(nodes, this.#inlines);
  }

  href(ref: ContentRef, kind: HrefKind): string {
    const found = this.#around.spelledHref?.(ref, kind) ?? this.#around.hrefOf?.(ref);
    if (found !== undefined) return found;
    const own = kind === 'file' || kind === 'drawing' ? 'file' : kind === 'include' ? 'reusable-content' : '';
    return ref.kind === own ? defaultHref(ref) : explicitHref(ref);
  }

  #note(fragments: readonly FragmentNode[]): string {
    const known = this.#around.labelOf?.(fragments);
    if (known !== undefined) return known;
    do this.#label++;
    while (this.#around.taken?.has(String(this.#label)));
    const label = String(this.#label);
    const note = { label, text: '' };
    this.#notes.push(note);
    const body = this.blocks(fragments.flatMap((fragment) => fragment.nodes));
    note.text = `[^${label}]: ${body.replace(/\n(?=[^\n])/g, '\n    ')}`.trimEnd();
    return note.label;
  }

  /** The footnotes that the text written so far refers to. */
  notes(): string[] {
    return this.#notes.map((note) => note.text);
  }
}

/** Whether two adjacent blocks are lists that would be read as one. */
export function joins(one: BlockNode, other: BlockNode): boolean {
  if (LIST.test(one.type)) return LIST.test(other.type);
  return one.type === 'list-ordered' && other.type === 'list-ordered';
}
