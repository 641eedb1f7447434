import type { ContentRef } from '../../markdown/index.ts';
import { ownText } from '../../document/text.ts';
import { cell, image } from './cell.ts';
import { titled } from './links.ts';
import { breakable, words } from './literal.ts';
import { inside, type Setting, type Typesetter } from './context.ts';
import { fragmentOf, readTable, type Column, type Row, type Table } from './table-data.ts';

/** Tables, as rows and columns or as cards. */
export const table: Typesetter = (setting, block) => {
  const read = readTable(block);
  if (read.columns.length === 0 || read.rows.length === 0) return '';
  return read.view['type'] === 'cards' ? cards(inside(setting), read) : grid(inside(setting), read);
};

function grid(setting: Setting, table: Table): string {
  const { columns, rows, view } = table;
  const titles = columns.map(({ title }) => `[${words(title)}]`);
  const hasHeader = view['hideHeader'] !== true && columns.some(({ title }) => title.trim() !== '');
  const header = hasHeader ? `table.header(${titles.join(', ')}), ` : '';
  const cells = rows.map((row) => columns.map((one) => `[${cell(setting, table, one, row)}]`).join(', '));
  const aligns = columns.map(alignment).join(', ');
  return `#rows(${hasHeader}, (${widths(table).join(', ')},), (${aligns},), ${header}${cells.join(', ')})`;
}

function alignment({ type, definition }: Column): string {
  const align = definition['textAlignment'];
  const vertical = definition['verticalAlignment'];
  const across =
    align === 'right' || (type === 'number' && align === undefined)
      ? 'right'
      : align === 'center'
        ? 'center'
        : 'left';
  return `${across} + ${vertical === 'middle' ? 'horizon' : vertical === 'bottom' ? 'bottom' : 'top'}`;
}

/** Characters that a line across the page takes, about. */
const LINE = 95;

/** Columns are as wide as they want to be where that fits. Else each has a share, by the text in it. */
function widths(table: Table): string[] {
  const given = table.view['columnWidths'] as Readonly<Record<string, unknown>> | undefined;
  const wanted = table.columns.map((column) => wantedBy(table, column));
  const fixed = table.columns.map(({ id }) => Number(given?.[id]));
  if (fixed.every((width) => width > 0)) return fixed.map((width) => `${Math.round(width)}fr`);
  const total = wanted.reduce((sum, { longest }) => sum + longest + 3, 0);
  if (total <= LINE) return wanted.map(() => 'auto');
  // Each has room for its longest word; what is left goes to those with more text.
  const rest = Math.max(0, LINE - wanted.reduce((sum, { word }) => sum + word + 3, 0));
  const roots = wanted.map(({ longest }) => Math.sqrt(Math.min(longest, 600)));
  const sum = roots.reduce((all, root) => all + root, 0);
  return wanted.map(
    ({ word }, index) => `${Math.round(10 * (word + 3 + (rest * (roots[index] ?? 0)) / sum))}fr`,
  );
}

function wantedBy(table: Table, column: Column): { longest: number; word: number } {
  let longest = column.title.length;
  let word = wordIn(column.title);
  for (const row of table.rows) {
    const value = row[column.id];
    const text =
      column.type === 'text'
        ? fragmentOf(table, value)
            .map((block) => ownText(block) ?? ' '.repeat(LINE))
            .join('\n')
        : ' '.repeat(12);
    for (const line of text.split('\n')) longest = Math.max(longest, line.length);
    word = Math.max(word, wordIn(text));
  }
  return { longest, word };
}

const wordIn = (text: string): number =>
  breakable(text)
    .split(/[\s\u200b]+/)
    .reduce((most, one) => Math.max(most, one.length), 3);

/** Cards stand two in a row: a cover, the cells, and where the card leads. */
function cards(setting: Setting, table: Table): string {
  const all = table.rows.map((row) => card(setting, table, row));
  return `#cards(${all.join(', ')})`;
}

function card(setting: Setting, table: Table, row: Row): string {
  const { columns, view } = table;
  const cover = row[String(view['coverDefinition'] ?? '')];
  const target = row[String(view['targetDefinition'] ?? '')] as ContentRef | undefined;
  const hidden = new Set([view['coverDefinition'], view['coverDefinitionDark'], view['targetDefinition']]);
  const parts = columns
    .filter(({ id }) => !hidden.has(id))
    .map((column) => cell(setting, table, column, row))
    .filter((content) => content !== '');
  const lines = parts.map((content) => `#block(above: 0.6em, below: 0pt)[${content}]`).join('');
  const leads = target
    ? `#block(above: 0.6em, below: 0pt)[#text(size: 0.85em)[${titled(setting, target)}]]`
    : '';
  return `([${cover ? image(setting, cover) : ''}], [${lines}${leads}])`;
}
