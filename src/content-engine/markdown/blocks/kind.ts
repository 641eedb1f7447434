import type {
  BlockNode,
  BlockOf,
  BlockType,
  ContentRef,
  HrefKind,
  InlineContent,
  ParagraphBlock,
  RefFor,
} from '../../document/index.ts';
import { escapeAmpersands } from '../scan/syntax/entities.ts';
import type { Token } from '../scan/token.ts';
import { attribute, type TagNesting, type TemplateTag } from '../scan/syntax/template-tag.ts';
import { plain } from '../read/inlines/destination.ts';
import { refAt, type Reading } from '../read/reading.ts';
import type { Span } from '../read/span.ts';
import { flatText } from '../write/flat-text.ts';

/** Services for the readers of single blocks. */
export interface BlockReader {
  readonly reading: Reading;
  /** Reads blocks. `images`: an image alone in a paragraph is a block of its own here. */
  blocks(tokens: readonly Token[], images: boolean): BlockNode[];
  /** `pipe`: in a cell of a pipe table. */
  inlines(span: Span, key: string, pipe?: boolean): InlineContent[];
  /** The text of HTML. */
  htmlText(span: Span, key: string): InlineContent[];
  /** Source that is not understood, as a block that is written back unchanged. */
  verbatim(start: number, end: number): BlockNode;
  key(token: Token): string;
}

/** Services for the writers of single blocks. */
export interface BlockWriter {
  /** Blocks with blank lines between them. */
  blocks(nodes: readonly BlockNode[]): string;
  /** Text that may span several lines. */
  inlines(nodes: readonly InlineContent[]): string;
  /** Text that must stay on its line. */
  line(nodes: readonly InlineContent[]): string;
  /** Text in a cell of a pipe table. */
  cell(nodes: readonly InlineContent[]): string;
  /** Text as HTML, for cells and captions. */
  html(nodes: readonly BlockNode[]): string;
  htmlInlines(nodes: readonly InlineContent[]): string;
  href(ref: ContentRef, kind: HrefKind): string;
}

/** Reads a block of plain Markdown. Undefined: the source is not what the block needs, and stays verbatim. */
export type ReadBlock = (reader: BlockReader, token: Token, key: string) => BlockNode[] | undefined;

/** Reads a block with a tag, `{% name %}`. Undefined as above. */
export type ReadTag = (
  reader: BlockReader,
  token: Token,
  key: string,
  tag: TemplateTag,
) => BlockNode[] | undefined;

export type WriteBlock<Type extends BlockType> = (writer: BlockWriter, block: BlockOf<Type>) => string;

export interface Tag extends TagNesting {
  /** Absent: its container reads it. */
  readonly read?: ReadTag;
}

/** A block in both directions. */
export interface MarkdownBlock<Type extends BlockType> {
  readonly write: WriteBlock<Type>;
  /** The tags that spell the block and its parts. `index.ts` lists the readers of plain Markdown. */
  readonly tags?: Readonly<Record<string, Tag>>;
}

export type MarkdownBlocks = { readonly [Type in BlockType]: MarkdownBlock<Type> };

/** A block that its container writes: on its own it has no form in Markdown. */
export const writtenByContainer = { write: (_writer: BlockWriter, block: BlockNode) => flatText(block) };

/** Values of attributes; undefined ones are not written. */
export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The data without undefined members. */
export const defined = <Data extends object>(data: Data): Data =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)) as Data;

/** `true` where an attribute has that value; otherwise absent. */
export const trueOnly = (value: string | undefined): true | undefined =>
  value === 'true' ? true : undefined;

/** The attribute for a member that is `true`; otherwise none. */
export const trueText = (value: boolean | undefined): 'true' | undefined =>
  value === true ? 'true' : undefined;

export const flag = (value: string | undefined): boolean | undefined =>
  value === undefined ? undefined : value !== 'false';

export function tagRef<Kind extends HrefKind>(
  reading: Reading,
  tag: TemplateTag,
  name: string,
  kind: Kind,
): RefFor<Kind> | undefined {
  const found = attribute(tag, name);
  if (!found) return undefined;
  // Exports escape punctuation in hrefs of tags as in those of links.
  const href = plain(reading.src.slice(found.from, found.to));
  return refAt(reading, bodySpan(reading), found.from, found.to, href, kind);
}

export const bodySpan = (reading: Reading): Span => ({
  text: reading.src,
  from: 0,
  to: reading.src.length,
  map: null,
});

/** `{% name key="value" %}`. */
export function tagText(name: string, attributes: Attributes): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) => ` ${key}="${attributeText(String(value))}"`);
  return `{% ${name}${written.join('')} %}`;
}

export const attributeText = (value: string): string =>
  escapeAmpersands(value)
    .replaceAll('"', '&quot;')
    .replace(
      /%(?=\})|\{(?=%)|[\\\n\r”“’ ]$|\\(?=[!-/:-@[-`{-~])|[\n\r]/g,
      (char) => `&#x${char.charCodeAt(0).toString(16)};`,
    );

/** A container: start tag, content and end tag on separate lines. */
export const wrapped = (name: string, attributes: Attributes, content: string): string =>
  `${tagText(name, attributes)}\n${content === '' ? '' : `${content}\n`}{% end${name} %}`;

/** Where Markdown has room for one paragraph only, several become its lines. */
export const linesOfHtml = (writer: BlockWriter, paragraphs: readonly ParagraphBlock[]): string =>
  paragraphs.map(({ nodes }) => writer.htmlInlines(nodes ?? [])).join('<br>');
