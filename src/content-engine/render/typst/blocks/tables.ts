import {
  filledCells,
  ownText,
  readCard,
  readTable,
  type BlockNode,
  type CardsView,
  type Column,
  type GridView,
  type Row,
  type Table,
  type TableBlock,
} from '../../../document/index.ts';
import { cellContent, cellImage } from './cell.ts';
import { breakable, words } from '../literal.ts';
import { inside, type Context, type Typesetter } from '../context.ts';

/** Tables, as rows and columns or as cards. Hidden columns are not shown. */
export const table: Typesetter<TableBlock> = (context, block) => typesetTable(context, readTable(block));

export function typesetTable(context: Context, { view, columns, rows }: Table): string {
  // Hidden columns come last: the indexes of the others do not change.
  const hasVisibleColumn = columns[0]?.hidden === false;
  if (!hasVisibleColumn || rows.length === 0) return '';
  if (view.type === 'cards')
    return `#cards(${rows.map((row) => card(inside(context), columns, view, row)).join(', ')})`;
  const shown = columns.filter(({ hidden }) => !hidden);
  return grid(inside(context), shown, rows, view);
}

function grid(context: Context, columns: readonly Column[], rows: readonly Row[], view: GridView): string {
  const titles = columns.map(({ title }) => `[${words(title)}]`);
  const hasHeader = view.hideHeader !== true && columns.some(({ title }) => title.trim() !== '');
  const header = hasHeader ? `table.header(${titles.join(', ')}), ` : '';
  const cells = rows.map((row) => rowOf(context, row, columns.length));
  const aligns = columns.map(alignment).join(', ');
  return `#rows(${hasHeader}, (${widths(columns, rows, view).join(', ')},), (${aligns},), ${header}${cells.join(', ')})`;
}

/** Where a row lacks more cells than are filled up, one empty cell spans the rest. */
function rowOf(context: Context, row: Row, width: number): string {
  const content = filledCells(row, width).map((cell) => `[${cellContent(context, cell)}]`);
  const rest = width - content.length;
  return [...content, ...(rest > 0 ? [`table.cell(colspan: ${rest})[]`] : [])].join(', ');
}

function alignment({ definition }: Column): string {
  if (definition.type !== 'text') return definition.type === 'number' ? 'right + top' : 'left + top';
  const { textAlignment = 'left', verticalAlignment = 'top' } = definition;
  return `${textAlignment} + ${verticalAlignment === 'middle' ? 'horizon' : verticalAlignment}`;
}

/** Characters that a line across the page takes, about. */
const LINE = 95;

/** Columns have their natural width where that fits. Else each has a share, by the length of its text. */
function widths(columns: readonly Column[], rows: readonly Row[], { columnWidths }: GridView): string[] {
  const fixed = columns.map(({ id }) => columnWidths?.[id] ?? 0);
  if (fixed.every((width) => width > 0)) return fixed.map((width) => `${Math.round(width)}fr`);
  const wanted = wantedBy(columns, rows);
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

function wantedBy(columns: readonly Column[], rows: readonly Row[]): { longest: number; word: number }[] {
  const wanted = columns.map(({ title, definition }) => ({
    longest: Math.max(title.length, definition.type === 'text' ? 0 : 12),
    word: wordIn(title),
  }));
  for (const [index, cell] of rows.flatMap(({ cells }) => cells)) {
    const column = wanted[index];
    if (!column || cell.type !== 'text') continue;
    const text = textOf(cell.nodes);
    for (const line of text.split('\n')) column.longest = Math.max(column.longest, line.length);
    column.word = Math.max(column.word, wordIn(text));
  }
  return wanted;
}

/** Blocks without text of their own count as a full line. */
const textOf = (blocks: readonly BlockNode[]): string =>
  blocks.map((block) => ownText(block) ?? ' '.repeat(LINE)).join('\n');

const wordIn = (text: string): number =>
  breakable(text)
    .split(/[\s\u200b]+/)
    .reduce((most, one) => Math.max(most, one.length), 3);

/** A card: a cover, the cells, and the target of the card. */
function card(context: Context, columns: readonly Column[], view: CardsView, row: Row): string {
  const { cover, target, cells } = readCard(columns, view, row);
  const lines = cells.flatMap(({ cell }) => {
    const content = cellContent(context, cell);
    return content === '' ? [] : [`#block(above: 0.6em, below: 0pt)[${content}]`];
  });
  if (target) {
    lines.push(`#block(above: 0.6em, below: 0pt)[#text(size: 0.85em)[${cellContent(context, target)}]]`);
  }
  return `([${cover ? cellImage(context, cover) : ''}], [${lines.join('')}])`;
}
