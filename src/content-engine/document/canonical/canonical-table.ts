import type { BlockNode, TableBlock } from '../nodes.ts';
import { sorted } from './sorted.ts';
import { readTable, type Cell } from '../table.ts';

/** The canonical form of a table: columns by their index instead of their id, rows without ids. */
export function canonicalTable(
  block: TableBlock,
  canonicalBlocks: (blocks: readonly BlockNode[]) => unknown[],
): unknown {
  const { view, columns, rows } = readTable(block);
  const indexOf = new Map(columns.map(({ id }, index) => [id, index]));
  const at = (id: string | undefined): number | undefined => (id === undefined ? undefined : indexOf.get(id));
  const widths = view.type === 'grid' ? view.columnWidths : undefined;
  return {
    type: 'table',
    view:
      view.type === 'grid'
        ? { type: view.type, hideHeader: view.hideHeader === true }
        : sorted({
            type: view.type,
            cardSize: view.cardSize,
            hideColumnTitle: view.hideColumnTitle === true,
            wrap: view.wrap,
            target: at(view.targetDefinition),
            cover: at(view.coverDefinition),
            dark: at(view.coverDefinitionDark),
          }),
    fullWidth: block.data.fullWidth === true,
    search: block.data.search,
    columns: columns.map(({ id, definition, hidden }) => {
      const { id: _id, ...rest } = definition;
      return { definition: sorted(rest), hidden, width: widths?.[id] };
    }),
    rows: rows.map(({ cells }) =>
      cells.flatMap(([index, cell]) => {
        const content = canonicalCell(cell, canonicalBlocks);
        return content === undefined ? [] : [[index, content]];
      }),
    ),
  };
}

/** Undefined where the cell is empty. */
function canonicalCell(cell: Cell, canonicalBlocks: (blocks: readonly BlockNode[]) => unknown[]): unknown {
  switch (cell.type) {
    case 'text': {
      const nodes = canonicalBlocks(cell.nodes);
      return nodes.length > 0 ? nodes : undefined;
    }
    case 'number':
    case 'rating':
    case 'checkbox':
      return cell.value;
    case 'select':
    case 'users':
    case 'files':
      return cell.values;
    case 'content-ref':
      return sorted(cell.ref);
    case 'image':
      return sorted(cell.image);
  }
}
