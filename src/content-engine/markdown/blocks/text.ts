import { blocksOf, inlinesOf, stringOf, type BlockNode, type InlineNode } from '../../document/nodes.ts';
import { headingBlock } from '../read/headings.ts';
import { drawingBlock, imageBlock, isDrawing } from '../read/images.ts';
import { joined, spanOf, type Span } from '../read/span.ts';
import { elementAt, valueIn } from '../scan/element.ts';
import { trimEnd, trimStart } from '../scan/chars.ts';
import type { Token } from '../scan/token.ts';
import { escapeAttribute } from '../write/escape.ts';
import type { BlockKind, BlockReader, BlockWriter } from './kind.ts';

export const paragraph: BlockKind = {
  type: 'paragraph',
  token: 'paragraph',
  read: (reader, token, key) => [readParagraph(reader, spanOf(reader.reading.src, token), key)],
  write: (writer, block) => {
    const align = stringOf(block.data, 'align');
    if (align === 'center' || align === 'end') return aligned(writer, block, 'p', align);
    return writer.inlines(inlinesOf(block));
  },
};

const aligned = (writer: BlockWriter, block: BlockNode, name: string, align: string, id?: string): string => {
  const anchor = id === undefined ? '' : ` id="${escapeAttribute(id)}"`;
  return `<${name} align="${align === 'end' ? 'right' : 'center'}"${anchor}>${writer.htmlInlines(inlinesOf(block))}</${name}>`;
};

function readParagraph(reader: BlockReader, span: Span, key: string): BlockNode {
  const formula = onlyMath(span);
  if (formula !== undefined) {
    return { object: 'block', type: 'math', key, data: { formula }, isVoid: true };
  }
  return { object: 'block', type: 'paragraph', key, nodes: reader.inlines(withoutLastBreak(span), key) };
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
  paragraph: BlockNode,
  images: boolean,
): BlockNode | undefined {
  const [only, ...more] = inlinesOf(paragraph);
  if (more.length > 0 || only?.object !== 'inline' || only.type !== 'inline-image' || only.data?.['size'])
    return undefined;
  const key = paragraph.key ?? '';
  const span = spanOf(reader.reading.src, token);
  const from = trimStart(span.text, span.from, span.to);
  // What stands beside a comment is not alone: so the writer keeps an image inline.
  if (span.text.startsWith('-->', trimEnd(span.text, from, span.to) - 3)) return undefined;
  const element = span.text[from] === '<' ? elementAt(span.text, from, span.to) : undefined;
  const { muted } = reader.reading;
  reader.reading.muted = true;
  let block: BlockNode | undefined;
  if (element?.name === 'img' && isDrawing(element)) block = drawingBlock(reader.reading, span, element, key);
  else if (images) block = imagesFrom(only, key);
  if (images && block?.type === 'images' && element?.name === 'img' && !valueIn(element, 'title'))
    block.nodes = [
      imageBlock(reader.reading, span, { image: element, dark: undefined }, `${key}/0`, undefined),
    ];
  reader.reading.muted = muted;
  return block;
}

function imagesFrom({ data = {} }: InlineNode, key: string): BlockNode {
  const { caption, size: _size, ...own } = data;
  const imageKey = `${key}/0`;
  const text = typeof caption === 'string' ? caption : '';
  const image: BlockNode = {
    object: 'block',
    type: 'image',
    key: imageKey,
    data: own,
    fragments: [],
    isVoid: true,
  };
  if (text !== '') {
    const paragraphKey = `${imageKey}/caption/0`;
    image.fragments?.push({
      object: 'fragment',
      key: `${imageKey}/caption`,
      fragment: 'caption',
      nodes: [
        {
          object: 'block',
          type: 'paragraph',
          key: paragraphKey,
          nodes: [
            { object: 'text', key: `${paragraphKey}/0`, leaves: [{ object: 'leaf', text, marks: [] }] },
          ],
        },
      ],
    });
  }
  return { object: 'block', type: 'images', key, data: {}, nodes: [image], isVoid: false };
}

const headingKind = (type: string, marks: string): BlockKind => ({
  type,
  token: 'heading',
  read: (reader, token, key) => {
    reader.reading.anchor = undefined;
    const nodes = reader.inlines(spanOf(reader.reading.src, token), key);
    const block = headingBlock(
      token.level,
      key,
      reader.reading.anchor ? withoutTrailingSpace(nodes) : nodes,
      reader.reading.anchor,
    );
    reader.reading.headings.push(block);
    return [block];
  },
  write: (writer, block) => {
    const id = stringOf(block.data, 'id');
    const align = stringOf(block.data, 'align');
    if (align === 'center' || align === 'end') return aligned(writer, block, `h${marks.length}`, align, id);
    const text = writer.line(inlinesOf(block));
    return `${marks} ${text}${id === undefined ? '' : ` <a href="#${id}" id="${id}"></a>`}`.trimEnd();
  },
});

/** `## Title <a id></a>`: the space before the anchor is not part of the title. */
function withoutTrailingSpace(nodes: ReturnType<BlockReader['inlines']>): typeof nodes {
  const last = nodes.at(-1);
  const leaf = last?.object === 'text' ? last.leaves.at(-1) : undefined;
  if (leaf?.text.endsWith(' ') && leaf.marks.length === 0) leaf.text = leaf.text.slice(0, -1);
  return nodes;
}

export const headings = [
  headingKind('heading-1', '##'),
  headingKind('heading-2', '###'),
  headingKind('heading-3', '####'),
];

export const divider: BlockKind = {
  type: 'divider',
  token: 'divider',
  read: (_reader, _token, key) => [{ object: 'block', type: 'divider', key, data: {}, isVoid: true }],
  write: () => '***',
};

export const math: BlockKind = {
  type: 'math',
  token: 'math',
  read: (reader, token, key) => {
    const formula = joined(reader.reading.src, token.lines ?? []).text;
    return [{ object: 'block', type: 'math', key, data: { formula }, isVoid: true }];
  },
  write: (_writer, block) => `$$\n${String(block.data?.['formula'] ?? '')}\n$$`,
};

export const quote: BlockKind = {
  type: 'blockquote',
  token: 'quote',
  read: (reader, token, key) => [
    { object: 'block', type: 'blockquote', key, nodes: reader.blocks(token.children ?? [], false) },
  ],
  write: (writer, block) => {
    const content = writer.blocks(blocksOf(block));
    return content
      .split('\n')
      .map((line) => (line === '' ? '>' : `> ${line}`))
      .join('\n');
  },
};
