import {
  inlinesOf,
  type BlockNode,
  type ContentRef,
  type Data,
  type FragmentNode,
  type InlineContent,
} from '../../document/nodes.ts';
import type { HrefKind } from '../../document/refs.ts';
import type { Token } from '../scan/token.ts';
import { attribute, type Tag } from '../scan/tag.ts';
import { refAt, type Reading } from '../read/reading.ts';
import type { Span } from '../read/span.ts';

/** What the readers of single blocks may ask for. */
export interface BlockReader {
  readonly reading: Reading;
  /** Reads blocks. `images`: an image alone in a paragraph is a block of its own here. */
  blocks(tokens: readonly Token[], images: boolean): BlockNode[];
  /** `pipe`: in a cell of a pipe table. */
  inlines(span: Span, key: string, pipe?: boolean): InlineContent[];
  /** The text of HTML. */
  htmlText(span: Span, key: string): InlineContent[];
  /** A piece of source that nobody understands, as a block that is written back as it is. */
  verbatim(start: number, end: number): BlockNode;
  key(token: Token): string;
}

/** What the writers of single blocks may ask for. */
export interface BlockWriter {
  /** Blocks with blank lines between them. */
  blocks(nodes: readonly BlockNode[]): string;
  /** Text that may go over several lines. */
  inlines(nodes: readonly InlineContent[]): string;
  /** Text that must stay on its line. */
  line(nodes: readonly InlineContent[]): string;
  /** Text in a cell of a pipe table. */
  cell(nodes: readonly InlineContent[]): string;
  /** Text as HTML, for cells and captions. */
  html(nodes: readonly BlockNode[]): string;
  htmlInlines(nodes: readonly InlineContent[]): string;
  href(ref: unknown, kind: HrefKind): string;
}

/** One block of the flavour, both ways. Adding a block is adding one of these to ../flavour.ts. */
export interface BlockKind {
  /** Type of the block in document JSON. */
  readonly type: string;
  /** Name of its tag `{% name %}`, or kind of its token when it is plain Markdown. */
  readonly tag?: string;
  readonly token?: Token['kind'];
  /** Returns undefined when the source is not what this block needs: then it is kept as it is. */
  readonly read?: (reader: BlockReader, token: Token, key: string) => BlockNode[] | undefined;
  readonly write: (writer: BlockWriter, block: BlockNode) => string;
}

/** The members of `data` that have a value. */
export function defined(data: Data): Data {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
}

export const flag = (value: string | undefined): boolean | undefined =>
  value === undefined ? undefined : value !== 'false';

export function tagRef(reading: Reading, tag: Tag, name: string, kind: HrefKind): ContentRef | undefined {
  const found = attribute(tag, name);
  if (!found) return undefined;
  return refAt(reading, bodySpan(reading), found.from, found.to, found.value, kind);
}

export const bodySpan = (reading: Reading): Span => ({
  text: reading.src,
  from: 0,
  to: reading.src.length,
  map: null,
});

/** `{% name key="value" %}`; members without a value are left out. */
export function tagText(name: string, attributes: Data): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) => ` ${key}="${attributeText(String(value))}"`);
  return `{% ${name}${written.join('')} %}`;
}

export const attributeText = (value: string): string =>
  value
    .replace(/&(?=[#A-Za-z0-9]{1,12};)/g, '&amp;')
    .replaceAll('"', '&quot;')
    .replace(
      /%(?=\})|\{(?=%)|[\\\n\r”“’ ]$|\\(?=&quot;|')|[\n\r]/g,
      (char) => `&#x${char.charCodeAt(0).toString(16)};`,
    );

/** A container: start tag, content, end tag, each on lines of their own. */
export const wrapped = (name: string, attributes: Data, content: string): string =>
  `${tagText(name, attributes)}\n${content === '' ? '' : `${content}\n`}{% end${name} %}`;

/** The blocks of all fragments of a name. */
export const fragmentBlocks = ({ fragments = [] }: BlockNode, name: string): BlockNode[] =>
  fragments
    .filter(({ fragment, type }: FragmentNode) => fragment === name || type === name)
    .flatMap(({ nodes }) => nodes);

/** Where there is room for one paragraph only, several are its lines. */
export const linesOfHtml = (writer: BlockWriter, paragraphs: readonly BlockNode[]): string =>
  paragraphs.map((one) => writer.htmlInlines(inlinesOf(one))).join('<br>');
