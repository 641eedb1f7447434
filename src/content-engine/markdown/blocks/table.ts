import type { BlockNode, Data, FragmentNode } from '../../document/nodes.ts';
import { hashRange, KeyMaker, type Hash } from '../../document/keys.ts';
import { NODE } from '../../document/limits.ts';
import { cellBlocks } from '../read/pipe-cell.ts';
import { tableBlock, type Column, type Row } from '../read/table-parts.ts';
import { alignmentsOf, eachCell } from '../scan/pipe.ts';
import type { Token } from '../scan/token.ts';
import { eachBlock, ownText } from '../../document/text.ts';
import { writeTable } from '../write/table.ts';
import type { BlockKind, BlockReader } from './kind.ts';

/** Tables: read from pipes here, from HTML in ../read/html-table.ts; written as pipes where that is enough. */
export const table: BlockKind = {
  type: 'table',
  token: 'pipe',
  read: (reader, token, key) => [readPipes(reader, token, key)],
  write: writeTable,
};

/** Offsets in `lines` of a pipe table before its first row: of the head and of the delimiters below it. */
export const HEAD_OFFSETS = 4;

/** What the id of a row is made of. */
export const rowHash = (src: string, from: number, to: number): Hash => hashRange(src, from, to, 22);

function readPipes(reader: BlockReader, token: Token, key: string): BlockNode {
  const { src } = reader.reading;
  const lines = token.lines ?? [];
  const ids = new KeyMaker();
  const fragments: FragmentNode[] = [];
  const alignments = alignmentsOf(src, lines[2] as number, lines[3] as number);
  const columns: Column[] = [];
  eachCell(src, lines[0] as number, lines[1] as number, (from, to) => {
    const id = ids.next(hashRange(src, from, to, 21));
    const title = titleOf(cellBlocks(reader, from, to, id) ?? [cellText(reader, from, to, id)]);
    const textAlignment = alignments[columns.length] ?? 'left';
    columns.push({
      id,
      definition: { id, title, type: 'text', textAlignment },
      hidden: false,
      width: undefined,
    });
  });
  const rows: Row[] = [];
  for (let index = HEAD_OFFSETS; index < lines.length; index += 2) {
    rows.push(
      readRow(reader, lines[index] as number, lines[index + 1] as number, columns, fragments, ids, key),
    );
  }
  const view = { type: 'grid', columns: columns.map((column) => column.id), hideHeader: false };
  return tableBlock({ key, columns, rows, fragments, view, data: {} });
}

function readRow(
  reader: BlockReader,
  from: number,
  to: number,
  columns: readonly Column[],
  fragments: FragmentNode[],
  ids: KeyMaker,
  tableKey: string,
): Row {
  const { src, work } = reader.reading;
  work.spend(NODE);
  const id = ids.next(rowHash(src, from, to));
  const values: Data = {};
  let at = 0;
  eachCell(src, from, to, (start, end) => {
    const column = columns[at++];
    if (!column || start >= end) return;
    work.spend(2 * NODE);
    const fragment = `${id}:${column.id}`;
    const key = `${tableKey}/${fragment}`;
    const nodes = cellBlocks(reader, start, end, key) ?? [cellText(reader, start, end, `${key}/0`)];
    if (nodes.length === 0) return;
    fragments.push({ object: 'fragment', key, fragment, nodes });
    values[column.id] = fragment;
  });
  return { id, values };
}

const cellText = (reader: BlockReader, from: number, to: number, key: string): BlockNode => ({
  object: 'block',
  type: 'paragraph',
  key,
  nodes: reader.inlines({ text: reader.reading.src, from, to, map: null }, key, true),
});

/** The words of a head, which has no blocks and marks in the document. */
function titleOf(nodes: readonly BlockNode[]): string {
  const texts: string[] = [];
  eachBlock(nodes, (block) => texts.push(ownText(block) ?? ''));
  return texts.filter((text) => text !== '').join(' ');
}
