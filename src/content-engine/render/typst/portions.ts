import {
  isListBlock,
  MAX_FILLED_CELLS,
  readTable,
  type BlockNode,
  type Column,
  type Row,
  type Table,
  type TableBlock,
} from '../../document/index.ts';
import type { Context } from './context.ts';
import { typesetTable } from './blocks/tables.ts';

/** Items or cells. A list or table with more is typeset in portions, between which a new sheet may begin. */
const LONG = 1000;
const PORTION = 250;

/** A block, or a part of a long one. */
export interface Portion {
  /** The items or cells, which take memory however short they are; 1 for other blocks. */
  readonly items: number;
  readonly typeset: (context: Context) => string;
}

/** A long list or table as several that follow each other: the compiler keeps each one in memory as a whole. */
export const portionsOf = (block: BlockNode): Portion[] =>
  block.type === 'table' ? portionsOfTable(block) : shortLists(block).map(portionOf);

const portionOf = (block: BlockNode): Portion => ({
  items: Math.max(1, block.type.startsWith('list-') ? (block.nodes ?? []).length : 1),
  typeset: (context) => context.blocks(context, [block]),
});

function shortLists(block: BlockNode): BlockNode[] {
  if (!isListBlock(block)) return [block];
  const portions = inPortions(block.nodes ?? [], 1, (nodes, at): BlockNode =>
    block.type === 'list-ordered'
      ? { ...block, data: { ...block.data, start: (block.data?.start ?? 1) + at }, nodes }
      : { ...block, nodes },
  );
  return portions ?? [block];
}

function portionsOfTable(block: TableBlock): Portion[] {
  const table = readTable(block);
  const portion = (rows: readonly Row[], columns: readonly Column[]): Portion => ({
    items: columns.length * rows.length,
    typeset: (context) => typesetTable(context, { ...table, columns, rows }),
  });
  const portions = inPortions(table.rows, Math.max(1, table.columns.length), (rows, at) =>
    portion(rows, at === 0 ? table.columns : columnsOf(rows, table)),
  );
  return portions ?? [portion(table.rows, table.columns)];
}

/** The columns that a further portion shows. Each portion has a header: with all columns, wide tables would grow quadratically. */
function columnsOf(rows: readonly Row[], { view, columns }: Table): readonly Column[] {
  if (view.type === 'cards') return columns;
  const lengths = rows.map(({ cells }) => {
    const [last] = cells.findLast(([column]) => columns[column]?.hidden === false) ?? [-1];
    return last + 1;
  });
  return columns.slice(0, lengths.reduce((one, other) => Math.max(one, other), 0) + MAX_FILLED_CELLS);
}

/** `size`: of one part. Undefined if the whole is not long. */
function inPortions<T, Result>(
  parts: readonly T[],
  size: number,
  portion: (parts: T[], at: number) => Result,
): Result[] | undefined {
  if (parts.length * size <= LONG) return undefined;
  const count = Math.max(1, Math.floor(PORTION / size));
  return Array.from({ length: Math.ceil(parts.length / count) }, (_, index) =>
    portion(parts.slice(index * count, (index + 1) * count), index * count),
  );
}
