/** The data of table blocks. Columns are called definitions there, and rows records. */

export type VerticalAlignment = 'top' | 'middle' | 'bottom';

export interface GridView {
  type: 'grid';
  /** Ids of the visible columns, in order. */
  columns?: string[];
  hideHeader?: boolean;
  columnWidths?: Record<string, number>;
  useNewSizing?: boolean;
}

export interface CardsView {
  type: 'cards';
  /** Ids of the visible columns, in order. */
  columns?: string[];
  cardSize?: 'medium' | 'large';
  targetDefinition?: string;
  coverDefinition?: string;
  coverDefinitionDark?: string;
  hideColumnTitle?: boolean;
  wrap?: boolean;
}

interface Column<Type extends string> {
  type: Type;
  id?: string;
  title?: string;
}
export interface TextColumn extends Column<'text'> {
  textAlignment?: 'left' | 'center' | 'right';
  verticalAlignment?: VerticalAlignment;
}
export interface UsersColumn extends Column<'users'> {
  multiple?: boolean;
}
export interface RatingColumn extends Column<'rating'> {
  max?: number;
}
export interface SelectOption {
  value: string;
  label?: string;
  color?: string;
}
export interface SelectColumn extends Column<'select'> {
  multiple?: boolean;
  options?: SelectOption[];
}

export type TableColumn =
  | TextColumn
  | UsersColumn
  | RatingColumn
  | SelectColumn
  | Column<'number'>
  | Column<'checkbox'>
  | Column<'files'>
  | Column<'content-ref'>
  | Column<'image'>;

export type ColumnType = TableColumn['type'];

export interface TableRecord {
  orderIndex?: string;
  /** Values by column id. The type of a value depends on the column; `readTable` narrows it. */
  values: Record<string, unknown>;
}

export interface TableData {
  view: GridView | CardsView;
  definition: Record<string, TableColumn>;
  records: Record<string, TableRecord>;
  fullWidth?: boolean;
  search?: boolean;
}
