import {
  ownText,
  readTable,
  type CardsView,
  type Cell,
  type Column,
  type GridView,
  type TableBlock,
} from '../../document/index.ts';
import { cellContent, cellImage } from './cell.ts';
import { breakable, words } from './literal.ts';
import { inside, type Context, type Typesetter } from './context.ts';

/** Tables, as rows and columns or as cards. Hidden columns are not shown. */
export const table: Typesetter<TableBlock> = (context, block) => {
  const { view, columns, rows } = readTable(block);
  // Hidden columns come last: the indexes of the others do not change.
  const shown = columns.filter(({ hidden }) => !hidden);
  if (shown.length === 0 || rows.length === 0) return '';
  const byColumn = rows.map(({ cells }) => new Map(cells));
  return view.type === 'cards'
    ? `#cards(${byColumn.map((row) => card(inside(context), columns, view, row)).join(', ')})`
    : grid(inside(context), shown, byColumn, view);
};

/** Cells by the index of their column. */
type CellMap = ReadonlyMap<number, Cell>;

function grid(
  context: Context,
  columns: readonly Column[],
  rows: readonly CellMap[],
  view: GridView,
): string {
  const titles = columns.map(({ title }) => `[${words(title)}]`);
  const hasHeader = view.hideHeader !== true && columns.some(({ title }) => title.trim() !== '');
  const header = hasHeader ? `table.header(${titles.join(', ')}), ` : '';
  const cells = rows.map((row) =>
    columns.map((_column, index) => `[${cellContent(context, row.get(index))}]`).join(', '),
  );
  const aligns = columns.map(alignment).join(', ');
  return `#rows(${hasHeader}, (${widths(columns, rows, view).join(', ')},), (${aligns},), ${header}${cells.join(', ')})`;
}

function alignment({ definition }: Column): string {
  if (definition.type !== 'text') return definition.type === 'number' ? 'right + top' : 'left + top';
  const { textAlignment = 'left', verticalAlignment = 'top' } = definition;
  return `${textAlignment} + ${verticalAlignment === 'middle' ? 'horizon' : verticalAlignment}`;
}

/** Characters that a line across the page takes, about. */
const LINE = 95;

/** Columns have their natural width where that fits. Else each has a share, by the length of its text. */
function widths(columns: readonly Column[], rows: readonly CellMap[], { columnWidths }: GridView): string[] {
  const fixed = columns.map(({ id }) => columnWidths?.[id] ?? 0);
  if (fixed.every((width) => width > 0)) return fixed.map((width) => `${Math.round(width)}fr`);
  const wanted = columns.map((column, index) => wantedBy(rows, column, index));
  const total = wanted.reduce((sum, { longest }) => sum + longest + 3, 0);
  if (total <= LINE) return wanted.map(() => 'auto');
  // Each column has room for its longest word; the rest goes to those with more text.
  const rest = Math.max(0, LINE - wanted.reduce((sum, { word }) => sum + word + 3, 0));
  const roots = wanted.map(({ longest }) => Math.sqrt(Math.min(longest, 600)));
  const sum = roots.reduce((all, root) => all + root, 0);
  return wanted.map(
    ({ word }, index) => `${Math.round(10 * (word + 3 + (rest * (roots[index] ?? 0)) / sum))}fr`,
  );
}

function wantedBy(
  rows: readonly CellMap[],
  column: Column,
  index: number,
): { longest: number; word: number } {
  let longest = column.title.length;
  let word = wordIn(column.title);
  for (const row of rows) {
    const text = column.definition.type === 'text' ? textOf(row.get(index)) : ' '.repeat(12);
    for (const line of text.split('\n')) longest = Math.max(longest, line.length);
    word = Math.max(word, wordIn(text));
  }
  return { longest, word };
}

/** Blocks without text of their own count as a full line. */
const textOf = (cell: Cell | undefined): string =>
  (cell?.type === 'text' ? cell.nodes : []).map((block) => ownText(block) ?? ' '.repeat(LINE)).join('\n');

const wordIn = (text: string): number =>
  breakable(text)
    .split(/[\s\u200b]+/)
    .reduce((most, one) => Math.max(most, one.length), 3);

/** A card: a cover, the cells, and the target of the card. */
function card(context: Context, columns: readonly Column[], view: CardsView, row: CellMap): string {
  const cellOf = (id: string | undefined): Cell | undefined =>
    row.get(columns.findIndex((column) => column.id === id));
  const cover = cellOf(view.coverDefinition);
  const target = cellOf(view.targetDefinition);
  const apart = new Set([view.coverDefinition, view.coverDefinitionDark, view.targetDefinition]);
  const lines = columns.flatMap(({ id, hidden }, index) => {
    const content = hidden || apart.has(id) ? '' : cellContent(context, row.get(index));
    return content === '' ? [] : [`#block(above: 0.6em, below: 0pt)[${content}]`];
  });
  if (target) {
    lines.push(`#block(above: 0.6em, below: 0pt)[#text(size: 0.85em)[${cellContent(context, target)}]]`);
  }
  return `([${cover?.type === 'image' ? cellImage(context, cover.image) : ''}], [${lines.join('')}])`;
}
