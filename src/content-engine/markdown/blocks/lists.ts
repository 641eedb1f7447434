import { blocksOf, type BlockNode } from '../../document/nodes.ts';
import { trimStart } from '../scan/chars.ts';
import type { Token } from '../scan/token.ts';
import { emptyBlock } from '../../document/empty-block.ts';
import type { BlockKind, BlockReader, BlockWriter } from './kind.ts';

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
