import type { BlockNode, ContentRef, ImageRef, TableBlock } from './nodes.ts';
import type { CardsView, RatingColumn, SelectColumn, TableColumn } from './table-types.ts';

/** A table in the order in which it is shown. Every consumer of tables reads them through here. */
export interface Table {
  readonly view: TableBlock['data']['view'];
  /** Visible columns in the order of the view, then hidden ones. */
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

export interface Column {
  readonly id: string;
  readonly title: string;
  readonly definition: TableColumn;
  readonly hidden: boolean;
}

export interface Row {
  readonly id: string;
  /** Cells that have a value, by ascending index of their column: rows of a wide table may be short. */
  readonly cells: readonly (readonly [column: number, cell: Cell])[];
}

/** A row may lack cells at its end. More than these are not filled up: a wide table with short rows would grow quadratically. */
export const MAX_FILLED_CELLS = 50;

interface CellImage {
  readonly ref: ImageRef;
  readonly objectFit?: 'contain' | 'fill' | 'cover';
}

export type Cell =
  | { readonly type: 'text'; readonly nodes: readonly BlockNode[] }
  | { readonly type: 'number'; readonly value: number | string }
  | { readonly type: 'rating'; readonly value: number | string; readonly definition: RatingColumn }
  | { readonly type: 'checkbox'; readonly value: boolean }
  | { readonly type: 'select'; readonly values: readonly string[]; readonly definition: SelectColumn }
  | { readonly type: 'users'; readonly values: readonly string[] }
  | { readonly type: 'files'; readonly values: readonly string[] }
  | { readonly type: 'content-ref'; readonly ref: ContentRef }
  | { readonly type: 'image'; readonly image: CellImage };

export type CellOf<Type extends Cell['type']> = Extract<Cell, { type: Type }>;

export function readTable({ data: { view, definition, records }, fragments = [] }: TableBlock): Table {
  const visible = new Set((view.columns ?? []).filter((id) => Object.hasOwn(definition, id)));
  const order = [...visible, ...Object.keys(definition).filter((id) => !visible.has(id))];
  const columns = order.flatMap((id): Column[] => {
    const own = definition[id];
    return own ? [{ id, title: own.title ?? '', definition: own, hidden: !visible.has(id) }] : [];
  });
  const indexOf = new Map(columns.map(({ id }, index) => [id, index]));
  const nodesOf = new Map(fragments.map(({ fragment = '', nodes }) => [fragment, nodes]));
  const rows = recordsInOrder(records).map(([id, { values }]): Row => {
    const cells = Object.entries(values).flatMap(([columnId, value]): [number, Cell][] => {
      const index = indexOf.get(columnId);
      const column = index === undefined ? undefined : columns[index];
      if (index === undefined || !column || value === undefined || value === null) return [];
      return [[index, cellOf(column.definition, value, nodesOf)]];
    });
    return { id, cells: cells.toSorted(([one], [other]) => one - other) };
  });
  return { view, columns, rows };
}

/** The cells of a row by column, up to a width; undefined where it has none. */
export function filledCells({ cells }: Row, width: number): (Cell | undefined)[] {
  const byColumn = new Map(cells);
  const [last] = cells.findLast(([column]) => column < width) ?? [-1];
  const length = Math.min(width, last + 1 + MAX_FILLED_CELLS);
  return Array.from({ length }, (_, column) => byColumn.get(column));
}

/** A row as a card. Its cover and target are not among its cells. */
export interface Card {
  readonly cover: ImageRef | undefined;
  readonly coverDark: ImageRef | undefined;
  readonly target: Cell | undefined;
  readonly cells: readonly { readonly column: Column; readonly cell: Cell }[];
}

export function readCard(columns: readonly Column[], view: CardsView, { cells }: Row): Card {
  const byColumn = new Map(cells.map(([index, cell]) => [columns[index]?.id, cell]));
  const imageIn = (cell: Cell | undefined) => (cell?.type === 'image' ? cell.image.ref : undefined);
  const special = new Set([view.coverDefinition, view.coverDefinitionDark, view.targetDefinition]);
  return {
    cover: imageIn(byColumn.get(view.coverDefinition)),
    coverDark: imageIn(byColumn.get(view.coverDefinitionDark)),
    target: byColumn.get(view.targetDefinition),
    cells: cells.flatMap(([index, cell]) => {
      const column = columns[index];
      return column && !column.hidden && !special.has(column.id) ? [{ column, cell }] : [];
    }),
  };
}

/** How many stars of a rating are filled, out of how many. */
export function starsOf({ definition: { max = 5 }, value }: CellOf<'rating'>): {
  filled: number;
  all: number;
} {
  const all = Math.min(Math.max(max || 5, 1), 10);
  return { filled: Math.min(Math.max(Math.round(Number(value)) || 0, 0), all), all };
}

/** The records of a table in the order of its rows. */
export const recordsInOrder = (records: TableBlock['data']['records']) =>
  Object.entries(records).toSorted(([, one], [, other]) =>
    compare(one.orderIndex ?? '', other.orderIndex ?? ''),
  );

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** `check/table.ts` has verified that the value fits the type of its column: this is where its type is stated. */
function cellOf(
  definition: TableColumn,
  value: unknown,
  nodesOf: ReadonlyMap<string, readonly BlockNode[]>,
): Cell {
  switch (definition.type) {
    case 'text':
      return { type: 'text', nodes: (typeof value === 'string' ? nodesOf.get(value) : undefined) ?? [] };
    case 'rating':
      return { type: 'rating', value: scalarOf(value), definition };
    case 'number':
      return { type: 'number', value: scalarOf(value) };
    case 'checkbox':
      return { type: 'checkbox', value: value === true };
    case 'select':
      return { type: 'select', values: namesOf(value), definition };
    case 'users':
    case 'files':
      return { type: definition.type, values: namesOf(value) };
    case 'content-ref':
      return { type: 'content-ref', ref: value as ContentRef };
    case 'image':
      return { type: 'image', image: imageOf(value as ImageRef | CellImage) };
  }
}

const scalarOf = (value: unknown): number | string => (typeof value === 'number' ? value : String(value));

const namesOf = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(String);

/** An image in a cell is a reference, or an object with one. */
const imageOf = (value: ImageRef | CellImage): CellImage => ('kind' in value ? { ref: value } : value);
