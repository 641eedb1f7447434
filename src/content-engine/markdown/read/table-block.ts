import type { FragmentNode, TableBlock, TableColumn, TableData } from '../../document/index.ts';

/** The pieces of a table as they are read, and the block that they make. */
export interface ReadColumn {
  readonly id: string;
  readonly definition: TableColumn;
  readonly hidden: boolean;
  readonly width: number | undefined;
}

export interface ReadRow {
  readonly id: string;
  readonly values: Record<string, unknown>;
}

interface TableParts {
  readonly key: string;
  readonly columns: readonly ReadColumn[];
  readonly rows: readonly ReadRow[];
  readonly fragments: FragmentNode[];
  readonly view: TableData['view'];
  readonly options: Pick<TableData, 'fullWidth' | 'search'>;
}

export function tableBlock({ key, columns, rows, fragments, view, options }: TableParts): TableBlock {
  const records: TableData['records'] = {};
  rows.forEach((row, index) => {
    records[row.id] = { orderIndex: String(index).padStart(7, '0'), values: row.values };
  });
  const definition: TableData['definition'] = {};
  for (const column of columns) definition[column.id] = column.definition;
  return {
    object: 'block',
    type: 'table',
    key,
    data: { view, records, definition, ...options },
    fragments,
    isVoid: true,
  };
}

export const visible = (columns: readonly ReadColumn[]): string[] =>
  columns.filter((column) => !column.hidden).map((column) => column.id);

export function widthsOf(columns: readonly ReadColumn[]): Record<string, number> | undefined {
  const widths = columns.flatMap(({ id, width }) => (width === undefined ? [] : [[id, width] as const]));
  return widths.length > 0 ? Object.fromEntries(widths) : undefined;
}
