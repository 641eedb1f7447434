import type { BlockNode } from '../../document/index.ts';
import type { TemplateTag } from './syntax/template-tag.ts';

export type TokenKind =
  | 'root'
  | 'paragraph'
  | 'heading'
  | 'fence'
  | 'indented'
  | 'divider'
  | 'math'
  | 'pipe'
  | 'html'
  | 'comment'
  | 'definition'
  | 'verbatim'
  | 'summary'
  | 'quote'
  | 'directive'
  | 'admonition'
  | 'list'
  | 'item'
  | 'footnote'
  | 'details'
  | 'tag';

/** A block of the source. All offsets are into the body. */
export interface Token {
  readonly kind: TokenKind;
  /** The start of the bytes of this block: its line, or the block itself where something else begins the line. */
  cut: number;
  start: number;
  /** After its last character, before the end of its last line. */
  end: number;
  /** The range of its content: the text of a paragraph, the code of a fence, the inside of a tag. */
  from: number;
  to: number;
  /** Pairs of offsets, one per line, when lines have prefixes (`>`, indentation). */
  lines: number[] | null;
  children: Token[] | null;
  /** Heading level, list start, length of a fence or of the colons of a directive, depth of a footnote. */
  level: number;
  /** Columns that the lines of an item, an admonition or a fence are indented by. */
  pad: number;
  /** Nesting depth of the content. */
  depth: number;
  /** Fence info, list marker, label, name of an HTML element; of a callout and its title, see callouts.ts. */
  name: string;
  tag: TemplateTag | null;
  /** The end tag of a container: -1 as long as there is none. */
  closeStart: number;
  /** The start of the line of the end tag, if it is alone there; else of the end tag. */
  closeCut: number;
  /** The prefix that later lines of this block carry, known when it was opened. */
  quoted: boolean;
  nodes: BlockNode[];
}

export function newToken(kind: TokenKind, cut: number, start: number, end: number): Token {
  return {
    kind,
    cut,
    start,
    end,
    from: start,
    to: end,
    lines: null,
    children: null,
    level: 0,
    pad: 0,
    depth: 0,
    name: '',
    tag: null,
    closeStart: -1,
    closeCut: -1,
    quoted: false,
    nodes: [],
  };
}

/** Source that was not understood. Its bytes are preserved. */
export interface Warning {
  readonly kind: 'unknown-block' | 'unclosed-block' | 'unknown-html' | 'too-deep' | 'frontmatter';
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

/** Deeper blocks are text, so that no document exceeds the 100 levels of JSON that serialisers accept. */
export const MAX_DEPTH = 32;
