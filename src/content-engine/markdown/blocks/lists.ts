import {
  isEmpty,
  paragraphOf,
  type BlockNode,
  type ListBlock,
  type ListItemBlock,
} from '../../document/index.ts';
import { trimStart } from '../scan/syntax/chars.ts';
import type { Token } from '../scan/token.ts';
import { writtenByContainer, type BlockReader, type BlockWriter, type MarkdownBlocks } from './kind.ts';

const TASK = /\[[ xX]\](?=\s|$)/y;

export function readList(reader: BlockReader, token: Token, key: string): BlockNode[] {
  const { src } = reader.reading;
  const items = token.children ?? [];
  const tasks = token.name[0] !== '1' && boxOf(src, items[0]) !== '';
  const nodes = items.map((item): ListItemBlock => {
    const itemKey = reader.key(item);
    if (tasks) takeBox(src, item);
    const content = reader.blocks(item.children ?? [], false);
    const node: ListItemBlock = { object: 'block', type: 'list-item', key: itemKey, nodes: content };
    if (content.length === 0) content.push(paragraphOf(`${itemKey}/0`));
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

const writeList = (writer: BlockWriter, list: ListBlock): string =>
  (list.nodes ?? []).map((item, index) => writeItem(writer, item, markerOf(list, item, index))).join('\n');

function markerOf(list: ListBlock, item: ListItemBlock, index: number): string {
  switch (list.type) {
    case 'list-unordered':
      return '* ';
    case 'list-tasks':
      return `* [${item.data?.checked === true ? 'x' : ' '}] `;
    case 'list-ordered':
      return `${startOf(list) + index}. `;
  }
}

/** The number of the first item. */
export const startOf = (list: BlockNode): number =>
  (list.type === 'list-ordered' ? list.data?.start : undefined) ?? 1;

/** The lines of an item are indented by the width of its marker. */
function writeItem(writer: BlockWriter, item: ListItemBlock, marker: string): string {
  const blocks = (item.nodes ?? []).filter((block) => !isEmpty(block));
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

export const lists = {
  'list-ordered': { write: writeList },
  'list-unordered': { write: writeList },
  'list-tasks': { write: writeList },
  'list-item': writtenByContainer,
} satisfies Partial<MarkdownBlocks>;
