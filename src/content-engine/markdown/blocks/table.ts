import {
  eachBlock,
  hashRange,
  KeyMaker,
  NODE,
  ownText,
  paragraphOf,
  type BlockNode,
  type FragmentNode,
  type Hash,
  type ParagraphBlock,
  type TableBlock,
} from '../../document/index.ts';
import { cellBlocks } from '../read/pipe-cell.ts';
import { tableBlock, type ReadColumn, type ReadRow } from '../read/table-block.ts';
import { alignmentsOf, eachCell } from '../scan/syntax/pipe.ts';
import type { Token } from '../scan/token.ts';
import { writeTable } from '../write/table.ts';
import type { BlockReader, MarkdownBlocks, ReadBlock } from './kind.ts';

/** Tables: read from pipes here, from HTML in ../read/html/html-table.ts; written as pipes where that is enough. */
export const tables = {
  table: { write: (writer, block) => writeTable(writer, block) },
} satisfies Partial<MarkdownBlocks>;

export const readPipeTable: ReadBlock = (reader, token, key) => [readPipes(reader, token, key)];

/** Offsets in `lines` of a pipe table before its first row: of the head and of the delimiters below it. */
export const HEAD_OFFSETS = 4;

/** The hash that a row id is derived from. */
export const rowHash = (src: string, from: number, to: number): Hash => hashRange(src, from, to, 22);

function readPipes(reader: BlockReader, token: Token, key: string): TableBlock {
  const { src } = reader.reading;
  const lines = token.lines ?? [];
  const ids = new KeyMaker();
  const fragments: FragmentNode[] = [];
  const alignments = alignmentsOf(src, lines[2] as number, lines[3] as number);
  const columns: ReadColumn[] = [];
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
  const rows: ReadRow[] = [];
  for (let index = HEAD_OFFSETS; index < lines.length; index += 2) {
    rows.push(
      readRow(reader, lines[index] as number, lines[index + 1] as number, columns, fragments, ids, key),
    );
  }
  const shown = columns.map((column) => column.id);
  const view = { type: 'grid', columns: shown, hideHeader: false } as const;
  return tableBlock({ key, columns, rows, fragments, view, options: {} });
}

function readRow(
  reader: BlockReader,
  from: number,
  to: number,
  columns: readonly ReadColumn[],
  fragments: FragmentNode[],
  ids: KeyMaker,
  tableKey: string,
): ReadRow {
  const { src, work } = reader.reading;
  work.spend(NODE);
  const id = ids.next(rowHash(src, from, to));
  const values: ReadRow['values'] = {};
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

const cellText = (reader: BlockReader, from: number, to: number, key: string): ParagraphBlock =>
  paragraphOf(key, reader.inlines({ text: reader.reading.src, from, to, map: null }, key, true));

/** The text of a header cell: titles have neither blocks nor marks in the document. */
function titleOf(nodes: readonly BlockNode[]): string {
  const texts: string[] = [];
  eachBlock(nodes, (block) => texts.push(ownText(block) ?? ''));
  return texts.filter((text) => text !== '').join(' ');
}
