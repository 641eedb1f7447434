import {
  filledCells,
  readTable,
  type Column,
  type GridView,
  type Row,
  type TableBlock,
} from '../../../document/index.ts';
import { cellContent } from './cell.ts';
import type { Context, Renderer } from '../context.ts';
import { element, type HtmlNode } from '../node.ts';

/** A table of rows and columns, which scrolls sideways where it is too wide. Hidden columns are not shown. */
export const grid: Renderer<TableBlock> = (context, block) => {
  const { view, columns, rows } = readTable(block);
  // Hidden columns come last: the indexes of the others do not change.
  const shown = columns.filter(({ hidden }) => !hidden);
  if (shown.length === 0) return undefined;
  const classes = shown.map(classOf);
  if (block.data.search === true) context.page.needs.add('filter');
  return element(
    'div',
    {
      class: block.data.fullWidth === true ? 'table full' : 'table',
      tabindex: '0',
      role: 'region',
      'aria-label': labelOf(context),
      'data-filter': block.data.search === true,
    },
    element(
      'table',
      {},
      view.type === 'grid' ? widths(shown, view) : undefined,
      view.type === 'grid' && view.hideHeader === true ? undefined : header(shown, classes),
      element(
        'tbody',
        {},
        rows.map((row) => () => rowOf(context, row, classes)),
      ),
    ),
  );
};

/** Regions need names that differ: the heading above, numbered. */
export function labelOf({ page, words }: Context): string {
  const title = page.heading.title || words.table;
  const count = page.count(`~table ${title}`);
  return count === 1 ? title : `${title} (${count})`;
}

function widths(columns: readonly Column[], { columnWidths }: GridView): HtmlNode {
  if (!columnWidths || !columns.some(({ id }) => columnWidths[id])) return undefined;
  return element(
    'colgroup',
    {},
    columns.map(({ id }) => {
      const width = Math.round(columnWidths[id] ?? 0);
      return element('col', { width: width > 0 && width <= 10_000 ? width : undefined });
    }),
  );
}

/** A column without a title has no header cell, which would be empty. */
const header = (columns: readonly Column[], classes: readonly (string | undefined)[]): HtmlNode =>
  element(
    'thead',
    {},
    element(
      'tr',
      {},
      columns.map(({ title }, index) => {
        const own = { class: classes[index] };
        return title.trim() === '' ? element('td', own) : element('th', { scope: 'col', ...own }, title);
      }),
    ),
  );

const rowOf = (context: Context, row: Row, classes: readonly (string | undefined)[]): HtmlNode =>
  element(
    'tr',
    {},
    filledCells(row, classes.length).map((cell, column) =>
      element('td', { class: classes[column] }, () => cellContent(context, cell)),
    ),
  );

function classOf({ definition }: Column): string | undefined {
  if (definition.type === 'number') return 'num';
  if (definition.type !== 'text') return undefined;
  const { textAlignment, verticalAlignment } = definition;
  const horizontal = textAlignment === 'right' ? 'end' : textAlignment === 'center' ? 'center' : '';
  const vertical = verticalAlignment === 'middle' || verticalAlignment === 'bottom' ? verticalAlignment : '';
  return [horizontal, vertical].filter(Boolean).join(' ') || undefined;
}
