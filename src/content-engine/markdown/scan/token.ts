import type { BlockNode } from '../../document/index.ts';
import type { Tag } from './tag.ts';

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
  | 'list'
  | 'item'
  | 'footnote'
  | 'details'
  | 'tag';

/** One block as it stands in the source. All offsets are into the body. */
export interface Token {
  readonly kind: TokenKind;
  /** Where the bytes of this block begin: its line, or the block itself where something else begins the line. */
  cut: number;
  start: number;
  /** After its last character, before the end of its last line. */
  end: number;
  /** What it holds: the text of a paragraph, the code of a fence, the inside of a tag. */
  from: number;
  to: number;
  /** Pairs of offsets, one per line, when prefixes (`>`, indentation) stand between the lines. */
  lines: number[] | null;
  children: Token[] | null;
  /** Heading level, list start, fence length, depth of a footnote. */
  level: number;
  /** Columns that the lines of an item or a fence are indented by. */
  pad: number;
  /** How many nodes of the document what it holds stands in. */
  depth: number;
  /** Fence info, list marker, label, name of an HTML element. */
  name: string;
  tag: Tag | null;
  /** The end tag of a container: -1 as long as there is none. */
  closeStart: number;
  /** Where the line of the end tag begins, if nothing else stands on it; else the end tag itself. */
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

/** What kept the engine from understanding something; the bytes are kept in any case. */
export interface Warning {
  readonly kind: 'unknown-block' | 'unclosed-block' | 'unknown-html' | 'too-deep' | 'frontmatter';
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

/** What stands in more nodes of the document than this is kept as text, so that no serialiser meets 100 levels. */
export const MAX_DEPTH = 32;
