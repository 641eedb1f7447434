import {
  textOfInlines,
  type BlockNode,
  type FragmentNode,
  type TableBlock,
  type TableColumn,
  type TableRecord,
} from '../../../document/index.ts';
import { attribute, elementsIn, find, isText, textOf, type Element } from '../../dom.ts';
import { MAX_EXPANDED_CELLS } from '../../limits.ts';
import { cellBlocks } from './cells.ts';
import type { BlockConverter, Conversion } from '../context.ts';
import { filled, marked, paragraph } from '../nodes.ts';

/** Characters of a cell that is repeated. */
const MAX_REPEATED = 300;

export const convertTable: BlockConverter = (element, conversion) => {
  if (element.tagName !== 'table') return undefined;
  const rows = rowsOf(element);
  if (isLayout(element, rows, conversion)) {
    const content = rows.flatMap((row) => row.flatMap((cell) => conversion.blocks(cell.childNodes)));
    return [...captionOf(element, conversion), ...content];
  }
  const grid = gridOf(rows);
  if (grid.length === 0) return [];
  return [...captionOf(element, conversion), tableBlock(element, grid, conversion)];
};

const captionOf = (table: Element, conversion: Conversion): BlockNode[] => {
  const caption = elementsIn(table).find(({ tagName }) => tagName === 'caption');
  const nodes = caption ? conversion.inlines(caption.childNodes) : [];
  return nodes.length === 0 ? [] : [paragraph(nodes)];
};

/** The cells of each row, without rows of tables inside. */
function rowsOf(table: Element): Element[][] {
  const rows: Element[][] = [];
  for (const part of elementsIn(table)) {
    const own =
      part.tagName === 'tr' ? [part] : /^t(?:head|body|foot)$/.test(part.tagName) ? elementsIn(part) : [];
    for (const row of own)
      if (row.tagName === 'tr') {
        const cells = elementsIn(row).filter(({ tagName }) => tagName === 'td' || tagName === 'th');
        if (cells.length > 0) rows.push(cells);
      }
  }
  return rows;
}

function isLayout(table: Element, rows: readonly Element[][], { measures }: Conversion): boolean {
  const role = attribute(table, 'role');
  if (role === 'presentation' || role === 'none') return true;
  return measures(table).table > 0 || (rows.length === 1 && rows[0]?.length === 1);
}

interface GridCell {
  readonly element: Element;
  /** The cell covers all columns: its text is shown once. */
  readonly isRepeated: boolean;
}

/** The cells of each row by column, with spans expanded. A span may be any number: it ends with the table. */
function gridOf(rows: readonly Element[][]): (GridCell | undefined)[][] {
  const columns = most(rows, (row) =>
    row.reduce((sum, cell) => sum + spanOf(cell, 'colspan', MAX_COLSPAN), 0),
  );
  let left = MAX_EXPANDED_CELLS;
  /** Cells that go on in the next rows, by column. */
  const open = new Map<number, { readonly element: Element; rows: number }>();
  return rows.map((row, at) => {
    const cells: (GridCell | undefined)[] = [];
    let column = 0;
    const fillFromAbove = (): void => {
      for (let above = open.get(column); above; above = open.get(column)) {
        cells[column++] = { element: above.element, isRepeated: false };
        if (--above.rows === 0) open.delete(column - 1);
      }
    };
    for (const element of row) {
      fillFromAbove();
      const across = Math.min(spanOf(element, 'colspan', MAX_COLSPAN), left + 1);
      left -= across - 1;
      const down = Math.min(spanOf(element, 'rowspan', rows.length - at), 1 + Math.floor(left / across));
      left -= (down - 1) * across;
      const isWhole = row.length === 1 && across >= columns && columns > 1;
      for (let covered = 0; covered < across; covered++, column++) {
        cells[column] = { element, isRepeated: isWhole && covered > 0 };
        if (down > 1) open.set(column, { element, rows: down - 1 });
      }
    }
    fillFromAbove();
    return cells;
  });
}

/** The largest value. There may be more rows than a call takes arguments. */
const most = <T>(rows: readonly T[], valueOf: (row: T) => number): number =>
  rows.reduce((largest, row) => Math.max(largest, valueOf(row)), 0);

/** Tables with more columns that are covered by one cell are hardly written by hand. */
const MAX_COLSPAN = 50;

function spanOf(cell: Element, name: 'colspan' | 'rowspan', most: number): number {
  const span = Number.parseInt(attribute(cell, name) ?? '1', 10);
  if (name === 'rowspan' && span === 0) return most;
  return Number.isNaN(span) ? 1 : Math.min(Math.max(span, 1), Math.max(most, 1));
}

function tableBlock(table: Element, grid: (GridCell | undefined)[][], conversion: Conversion): TableBlock {
  const [first = []] = grid;
  const hasHeader = isHeader(table, first, grid.length, conversion);
  const width = most(grid, (row) => row.length);
  const definition: Record<string, TableColumn> = {};
  for (let column = 0; column < width; column++) {
    const head = first[column];
    const title = hasHeader && head && !head.isRepeated ? titleOf(head.element, conversion) : '';
    const textAlignment = alignmentOf(head?.element);
    definition[`c${column}`] = { id: `c${column}`, title, type: 'text', textAlignment };
  }
  const fragments: FragmentNode[] = [];
  const records: Record<string, TableRecord> = {};
  const converted = new Map<Element, BlockNode[]>();
  grid.slice(hasHeader ? 1 : 0).forEach((row, at) => {
    const values: Record<string, string> = {};
    row.forEach((cell, column) => {
      if (!cell || cell.isRepeated) return;
      const known = converted.get(cell.element);
      if (known && lengthOf(cell.element, conversion) > MAX_REPEATED) return;
      const nodes = known ?? contentOf(cell.element, conversion);
      converted.set(cell.element, nodes);
      if (nodes.length === 0) return;
      const name = `f${at}-${column}`;
      fragments.push({ object: 'fragment', fragment: name, nodes });
      values[`c${column}`] = name;
    });
    records[`r${at}`] = { values };
  });
  const view = { type: 'grid', columns: Object.keys(definition), hideHeader: !hasHeader } as const;
  return { object: 'block', type: 'table', data: { view, definition, records }, fragments, isVoid: true };
}

const lengthOf = (cell: Element, { measures }: Conversion): number =>
  measures(cell).text + measures(cell).link;

/** Row titles are bold. */
function contentOf(cell: Element, conversion: Conversion): BlockNode[] {
  const nodes = filled(cellBlocks(conversion.inner(cell.childNodes)));
  if (cell.tagName !== 'th') return nodes;
  return nodes.map((block) =>
    block.type === 'paragraph' ? paragraph(marked(block.nodes ?? [], 'bold')) : block,
  );
}

/** Titles of columns are text. An image of one is its description. */
function titleOf(cell: Element, conversion: Conversion): string {
  const text = textOfInlines(conversion.inlines(cell.childNodes)).replace(/\s+/g, ' ').trim();
  if (text !== '') return text;
  const image = find(cell, ({ tagName }) => tagName === 'img');
  return (image && attribute(image, 'alt')) ?? '';
}

function isHeader(
  table: Element,
  first: readonly (GridCell | undefined)[],
  rows: number,
  { hints, styleMarks }: Conversion,
): boolean {
  if (elementsIn(table).some(({ tagName, childNodes }) => tagName === 'thead' && childNodes.length > 0))
    return true;
  const cells = first.flatMap((cell) => (cell ? [cell.element] : []));
  if (cells.length === 0 || rows < 2) return false;
  if (cells.every(({ tagName }) => tagName === 'th')) return true;
  if (cells.some(({ tagName }) => tagName === 'th')) return false;
  if (hints.hasHeaderRows === true) return cells.every((cell) => textOf(cell) !== '');
  const filledCells = cells.filter((cell) => textOf(cell) !== '');
  return filledCells.length > 1 && filledCells.every((cell) => isBold(cell, styleMarks));
}

/** Whether all text of a cell is bold. */
function isBold(cell: Element, styleMarks: Conversion['styleMarks']): boolean {
  let element = cell;
  for (let depth = 0; depth < 8; depth++) {
    if (/^(?:b|strong)$/.test(element.tagName) || styleMarks(element).some(({ type }) => type === 'bold'))
      return true;
    const children = elementsIn(element);
    const [only] = children;
    if (
      !only ||
      children.length > 1 ||
      element.childNodes.some((node) => isText(node) && node.value.trim() !== '')
    )
      return false;
    element = only;
  }
  return false;
}

function alignmentOf(cell: Element | undefined): 'left' | 'center' | 'right' {
  const style = /text-align\s*:\s*(center|right)/i.exec((cell && attribute(cell, 'style')) ?? '')?.[1];
  const align = (style ?? (cell && attribute(cell, 'align')) ?? '').toLowerCase();
  return align === 'center' || align === 'right' ? align : 'left';
}
