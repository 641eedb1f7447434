import { blocksOf, inlinesOf, stringOf, type BlockNode, type InlineNode } from '../document.ts';
import { headingBlock } from '../read/headings.ts';
import { drawingBlock, imageBlock, isDrawing } from '../read/images.ts';
import { joined, spanOf, within, type Span } from '../read/span.ts';
import { elementAt, valueIn } from '../scan/element.ts';
import { trimEnd, trimStart } from '../scan/chars.ts';
import type { Token } from '../scan/token.ts';
import { escapeAttribute } from '../write/escape.ts';
import { emptyBlock } from '../canonical-blocks.ts';
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
  return { object: 'block', type: 'paragraph', key, nodes: reader.inlines(span, key) };
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

const TASK = /\[[ xX]\](?=\s|$)/y;

function readList(reader: BlockReader, token: Token, key: string): BlockNode[] {
  const { src } = reader.reading;
  const items = token.children ?? [];
  const tasks = token.name[0] !== '1' && boxOf(src, items[0]) !== '';
  const nodes = items.map((item) => {
    const itemKey = reader.key(item);
    if (tasks) takeBox(src, item);
    const content = reader.blocks(item.children ?? [], false);
    const node: BlockNode = { object: 'block', type: 'list-item', key: itemKey, nodes: content };
    if (content.length === 0)
      content.push({ object: 'block', type: 'paragraph', key: `${itemKey}/0`, nodes: [] });
    if (tasks) node.data = { checked: /x/i.test(item.name) };
    item.nodes = [node];
    return node;
  });
  if (tasks) return [{ object: 'block', type: 'list-tasks', key, nodes }];
  if (token.name[0] !== '1') return [{ object: 'block', type: 'list-unordered', key, nodes }];
  return [
    {
      object: 'block',
      type: 'list-ordered',
      key,
      data: token.level === 1 ? {} : { start: token.level },
      nodes,
    },
  ];
}

/** The `[x]` before the text of an item, or nothing. It is remembered in the item once it was taken off. */
function boxOf(src: string, item: Token | undefined): string {
  if (item?.name) return item.name;
  const first = item?.children?.[0];
  if (first?.kind !== 'paragraph' || first.from + 3 > first.to) return '';
  TASK.lastIndex = first.from;
  return TASK.exec(src)?.[0] ?? '';
}

/** The text of a task begins behind its box. */
function takeBox(src: string, item: Token): void {
  const first = item.children?.[0];
  if (item.name !== '' || !first) return;
  item.name = boxOf(src, item);
  if (item.name === '') return;
  first.from = trimStart(src, first.from + 3, first.to);
  first.start = first.from;
  first.cut = first.from;
  if (first.lines) first.lines[0] = first.from;
}

const listKind = (
  type: string,
  marker: (block: BlockNode, item: BlockNode, index: number) => string,
): BlockKind => ({
  type,
  token: 'list',
  read: readList,
  write: (writer, block) =>
    blocksOf(block)
      .map((item, index) => writeItem(writer, item, marker(block, item, index)))
      .join('\n'),
});

/** The lines of an item are indented by the width of its marker. */
function writeItem(writer: BlockWriter, item: BlockNode, marker: string): string {
  const blocks = blocksOf(item).filter((block) => !emptyBlock(block));
  const box = /^\[.\] $/.test(marker.slice(-4)) ? marker.slice(-4) : '';
  const bullet = box === '' ? marker : marker.slice(0, -4);
  const indent = ' '.repeat(bullet.length);
  // Text behind a box must be a paragraph, or the box would be the paragraph.
  const text = box !== '' && blocks[0] !== undefined && blocks[0].type !== 'paragraph' ? '<!---->\n\n' : '';
  const content = (text + writer.blocks(blocks)).replace(/\n(?=[^\n])/g, `\n${indent}`);
  return notDivider(`${bullet}${box}${content}`.trimEnd() || bullet.trimEnd());
}

/** A line of nothing but stars would be a divider. */
const notDivider = (item: string): string =>
  item.replace(/^(?=(?:[ *]*\*){3})[ *]+(?=\n|$)/, (line) =>
    line.endsWith('***') ? `${line.slice(0, -3)}---` : `${line} <!---->`,
  );

export const lists = [
  listKind('list-unordered', () => '* '),
  listKind('list-tasks', (_block, item) => `* [${item.data?.['checked'] === true ? 'x' : ' '}] `),
  listKind('list-ordered', (block, _item, index) => {
    const start = Number(block.data?.['start'] ?? 1);
    return `${(Number.isInteger(start) && start >= 0 ? start : 1) + index}. `;
  }),
];

export const expandable: BlockKind = {
  type: 'expandable',
  token: 'details',
  write: (writer, block) => {
    const part = (name: string): BlockNode[] =>
      block.fragments?.find((one) => one.fragment === name || one.type === name)?.nodes ?? [];
    const title = part('expandable-title')[0];
    const body = writer.blocks(part('expandable-body'));
    const open = block.data?.['defaultExpanded'] === true ? ' open' : '';
    const summary = title ? writer.htmlInlines(inlinesOf(title)) : '';
    return `<details${open}>\n\n<summary>${summary}</summary>\n\n${body === '' ? '' : `${body}\n\n`}</details>`;
  },
  read: readExpandable,
};

function readExpandable(reader: BlockReader, token: Token, key: string): BlockNode[] {
  const children = token.children ?? [];
  const at = children.findIndex((child) => child.kind === 'summary');
  const summary = at === 0 ? children[0] : undefined;
  const titleKey = `${key}/title`;
  const title: BlockNode = { object: 'block', type: 'paragraph', key: titleKey, nodes: [] };
  if (summary) {
    const span = spanOf(reader.reading.src, summary);
    title.nodes = reader.htmlText(withoutEnd(span), titleKey);
  }
  const body = reader.blocks(summary ? children.slice(1) : children, true);
  if (body.length === 0) body.push({ object: 'block', type: 'paragraph', key: `${key}/body/0`, nodes: [] });
  const element = elementAt(reader.reading.src, token.start, token.to);
  const open = element?.attributes.some((one) => one.name === 'open') ?? false;
  const block: BlockNode = {
    object: 'block',
    type: 'expandable',
    key,
    data: open ? { defaultExpanded: true } : {},
    fragments: [
      {
        object: 'fragment',
        key: `${key}/t`,
        fragment: 'expandable-title',
        type: 'expandable-title',
        nodes: [title],
      },
      {
        object: 'fragment',
        key: `${key}/b`,
        fragment: 'expandable-body',
        type: 'expandable-body',
        nodes: body,
      },
    ],
    isVoid: true,
  };
  reader.reading.parts.push(block);
  return [block];
}

/** A summary over several lines was collected with its end tag. */
function withoutEnd(span: Span): Span {
  if (!span.map) return span;
  const end = span.text.indexOf('</summary>');
  return end < 0 ? span : within(span, span.from, end);
}
