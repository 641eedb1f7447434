import {
  paragraphOf,
  plainTextNode,
  type DrawingBlock,
  type HeadingBlock,
  type ImageBlock,
  type ImageInline,
  type ImagesBlock,
  type InlineContent,
  type MathBlock,
  type ParagraphBlock,
} from '../../document/index.ts';
import { headingBlock } from '../read/headings.ts';
import { drawingBlock, imageBlock, isDrawing } from '../read/images.ts';
import { joined, spanOf, type Span } from '../read/span.ts';
import { htmlTagAt, valueIn, type HtmlTag } from '../scan/syntax/html-tag.ts';
import { trimEnd, trimStart } from '../scan/syntax/chars.ts';
import type { Token } from '../scan/token.ts';
import { escapeAttribute } from '../write/escape.ts';
import type { BlockReader, BlockWriter, MarkdownBlocks, ReadBlock, WriteBlock } from './kind.ts';

const writeParagraph: WriteBlock<'paragraph'> = (writer, { data, nodes = [] }) => {
  const align = data?.align;
  if (align === 'center' || align === 'end') return aligned(writer, nodes, 'p', align);
  return writer.inlines(nodes);
};

const aligned = (
  writer: BlockWriter,
  nodes: readonly InlineContent[],
  name: string,
  align: 'center' | 'end',
  id?: string,
): string => {
  const anchor = id === undefined ? '' : ` id="${escapeAttribute(id)}"`;
  return `<${name} align="${align === 'end' ? 'right' : 'center'}"${anchor}>${writer.htmlInlines(nodes)}</${name}>`;
};

/** A paragraph, or a block of math where a formula is all its text. */
export function readParagraph(reader: BlockReader, token: Token, key: string): ParagraphBlock | MathBlock {
  const span = spanOf(reader.reading.src, token);
  const formula = onlyMath(span);
  if (formula !== undefined) {
    return { object: 'block', type: 'math', key, data: { formula }, isVoid: true };
  }
  return paragraphOf(key, reader.inlines(withoutLastBreak(span), key));
}

/** A backslash breaks the line: behind the last line of a paragraph there is nothing to break, and it is not shown. */
function withoutLastBreak(span: Span): Span {
  const { text, from, to } = span;
  const end = trimEnd(text, from, to);
  let start = end;
  while (start > from && text.charCodeAt(start - 1) === 92) start--;
  return (end - start) % 2 === 1 ? { ...span, to: end - 1 } : span;
}

/** A paragraph that is one formula is a block of math. */
function onlyMath({ text, from, to }: Span): string | undefined {
  const end = trimEnd(text, from, to);
  if (end - from < 5 || !text.startsWith('$$', from) || !text.startsWith('$$', end - 2)) return undefined;
  const close = text.slice(from + 2, end).indexOf('$$');
  return close === end - from - 4 ? text.slice(from + 2, end - 2).replace(/\r\n?/g, '\n') : undefined;
}

/** An image alone in a paragraph is a block of images where the container takes one (`images`), a drawing anywhere. */
export function imagesOf(
  reader: BlockReader,
  token: Token,
  { nodes = [], key = '' }: ParagraphBlock,
  images: boolean,
): ImagesBlock | DrawingBlock | undefined {
  const [only, ...more] = nodes;
  if (more.length > 0 || only?.object !== 'inline' || only.type !== 'inline-image' || only.data.size)
    return undefined;
  const span = spanOf(reader.reading.src, token);
  const from = trimStart(span.text, span.from, span.to);
  // An image beside a comment is not alone: the writer puts a comment there to keep an image inline.
  if (span.text.startsWith('-->', trimEnd(span.text, from, span.to) - 3)) return undefined;
  const element = span.text[from] === '<' ? htmlTagAt(span.text, from, span.to) : undefined;
  const image = element?.name === 'img' ? element : undefined;
  // The address was noted when the paragraph was read.
  const { muted } = reader.reading;
  reader.reading.muted = true;
  const block = blockOfImage(reader, span, image, only, key, images);
  reader.reading.muted = muted;
  return block;
}

function blockOfImage(
  reader: BlockReader,
  span: Span,
  element: HtmlTag | undefined,
  inline: ImageInline,
  key: string,
  images: boolean,
): ImagesBlock | DrawingBlock | undefined {
  if (element && isDrawing(element)) return drawingBlock(reader.reading, span, element, key);
  if (!images) return undefined;
  const image =
    element && !valueIn(element, 'title')
      ? imageBlock(reader.reading, span, { image: element, dark: undefined }, `${key}/0`, undefined)
      : imageFrom(inline, `${key}/0`);
  return { object: 'block', type: 'images', key, data: {}, nodes: [image], isVoid: false };
}

function imageFrom({ data }: ImageInline, key: string): ImageBlock {
  const { caption = '', size: _size, ...own } = data;
  const image: ImageBlock = { object: 'block', type: 'image', key, data: own, fragments: [], isVoid: true };
  if (caption !== '') {
    const paragraphKey = `${key}/caption/0`;
    image.fragments?.push({
      object: 'fragment',
      key: `${key}/caption`,
      fragment: 'caption',
      nodes: [paragraphOf(paragraphKey, [plainTextNode(caption, `${paragraphKey}/0`)])],
    });
  }
  return image;
}

export const readHeading: ReadBlock = (reader, token, key) => {
  reader.reading.anchor = undefined;
  const nodes = reader.inlines(spanOf(reader.reading.src, token), key);
  const { anchor } = reader.reading;
  const block = headingBlock(token.level, key, anchor ? withoutTrailingSpace(nodes) : nodes, anchor);
  reader.reading.headings.push(block);
  return [block];
};

function writeHeading(writer: BlockWriter, { type, data, nodes = [] }: HeadingBlock): string {
  const level = { 'heading-1': 2, 'heading-2': 3, 'heading-3': 4 }[type];
  const { id, align } = data ?? {};
  if (align === 'center' || align === 'end') return aligned(writer, nodes, `h${level}`, align, id);
  const anchor = id === undefined ? '' : ` <a href="#${id}" id="${id}"></a>`;
  return `${'#'.repeat(level)} ${writer.line(nodes)}${anchor}`.trimEnd();
}

/** `## Title <a id></a>`: the space before the anchor is not part of the title. */
function withoutTrailingSpace(nodes: InlineContent[]): InlineContent[] {
  const last = nodes.at(-1);
  const leaf = last?.object === 'text' ? last.leaves.at(-1) : undefined;
  if (leaf?.text.endsWith(' ') && leaf.marks.length === 0) leaf.text = leaf.text.slice(0, -1);
  return nodes;
}

export const readDivider: ReadBlock = (_reader, _token, key) => [
  { object: 'block', type: 'divider', key, data: {}, isVoid: true },
];

export const readMath: ReadBlock = (reader, token, key) => {
  const formula = joined(reader.reading.src, token.lines ?? []).text;
  return [{ object: 'block', type: 'math', key, data: { formula }, isVoid: true }];
};

export const readQuote: ReadBlock = (reader, token, key) => [
  { object: 'block', type: 'blockquote', key, nodes: reader.blocks(token.children ?? [], false) },
];

export const text = {
  paragraph: { write: writeParagraph },
  'heading-1': { write: writeHeading },
  'heading-2': { write: writeHeading },
  'heading-3': { write: writeHeading },
  divider: { write: () => '***' },
  math: { write: (_writer, block) => `$$\n${block.data.formula}\n$$` },
  blockquote: {
    write: (writer, block) => {
      const lines = writer.blocks(block.nodes ?? []).split('\n');
      return lines.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n');
    },
  },
} satisfies Partial<MarkdownBlocks>;
