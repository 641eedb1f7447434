import type { BlockNode, Data, FragmentNode } from '../../document/nodes.ts';

/** The pieces of a table as they are read, and the block they make. */
export interface Column {
  readonly id: string;
  readonly definition: Data;
  readonly hidden: boolean;
  readonly width: number | undefined;
}

export interface Row {
  readonly id: string;
  readonly values: Data;
}

interface TableParts {
  readonly key: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly fragments: FragmentNode[];
  readonly view: Data;
  readonly data: Data;
}

export function tableBlock({ key, columns, rows, fragments, view, data }: TableParts): BlockNode {
  const records: Data = {};
  rows.forEach((row, index) => {
    records[row.id] = { orderIndex: String(index).padStart(7, '0'), values: row.values };
  });
  const definition: Data = {};
  for (const column of columns) definition[column.id] = column.definition;
  return {
    object: 'block',
    type: 'table',
    key,
    data: { view, records, definition, ...data },
    fragments,
    isVoid: true,
  };
}

export const visible = (columns: readonly Column[]): string[] =>
  columns.filter((column) => !column.hidden).map((column) => column.id);

export function widthsOf(columns: readonly Column[]): Data | undefined {
  const widths = columns
    .filter((column) => column.width !== undefined)
    .map((column) => [column.id, column.width]);
  return widths.length > 0 ? (Object.fromEntries(widths) as Data) : undefined;
}
