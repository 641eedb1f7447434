import {
  KeyMaker,
  type CardsView,
  type ColumnType,
  type FragmentNode,
  type SelectOption,
  type TableBlock,
  type TableColumn,
  type TableData,
} from '../../../document/index.ts';
import { attributeOf, has, isSet, valueIn, type HtmlTag } from '../../scan/syntax/html-tag.ts';
import { HtmlBlocks, hashNodes } from './html-to-blocks.ts';
import { plainOf } from './html-text.ts';
import { childElements, findAll, isElement, type HtmlElement } from './html-tree.ts';
import { refAt, type Reading } from '../reading.ts';
import type { Span } from '../span.ts';
import { tableBlock, visible, widthsOf, type ReadColumn, type ReadRow } from '../table-block.ts';
import { oneOf } from '../../blocks/one-of.ts';

/** `<table>`, as a grid or as cards. */
export function readTable(reading: Reading, span: Span, table: HtmlElement): TableBlock {
  const ids = new KeyMaker();
  const all = findAll(table.children, 'tr');
  const heads = findAll(findAll(table.children, 'thead'), 'th');
  const [firstHead] = heads;
  const headRow = firstHead && all.find((row) => row.children.includes(firstHead));
  const body = all.filter((row) => row !== headRow);
  const columns =
    heads.length > 0 ? heads.map((head) => columnOf(span, head, ids)) : blankColumns(body[0], ids, span);
  const fragments: FragmentNode[] = [];
  const key = reading.keys.next(hashNodes(span, [table], 10));
  const before = reading.headings.length;
  const rows = body.map((row) => readRow(reading, span, row, columns, fragments, ids, key));
  // Headings in cells are a way to write large: they are not part of the outline.
  reading.headings.length = before;
  const options: Pick<TableData, 'fullWidth' | 'search'> = {};
  if (isSet(table.element, 'data-full-width')) options.fullWidth = true;
  const search = valueIn(table.element, 'data-search');
  if (search !== undefined) options.search = search !== 'false';
  const view = viewOf(table.element, columns, heads);
  return tableBlock({ key, columns, rows, fragments, view, options });
}

function viewOf(
  table: HtmlTag,
  columns: readonly ReadColumn[],
  heads: readonly HtmlElement[],
): TableData['view'] {
  const shown = visible(columns);
  if (valueIn(table, 'data-view') !== 'cards') {
    const widths = widthsOf(columns);
    const hideHeader = heads.length === 0 || has(table, 'data-header-hidden');
    const sizes = widths ? { columnWidths: widths, useNewSizing: true } : {};
    return { type: 'grid', columns: shown, hideHeader, ...sizes };
  }
  const marked = (name: string): string | undefined =>
    columns[heads.findIndex((head) => has(head.element, name))]?.id;
  const view: CardsView = {
    type: 'cards',
    columns: shown,
    cardSize: valueIn(table, 'data-card-size') === 'large' ? 'large' : 'medium',
  };
  const target = marked('data-card-target');
  const cover = marked('data-card-cover');
  const dark = marked('data-card-cover-dark');
  if (target !== undefined) view.targetDefinition = target;
  if (cover !== undefined) view.coverDefinition = cover;
  if (dark !== undefined) view.coverDefinitionDark = dark;
  if (has(table, 'data-column-title-hidden')) view.hideColumnTitle = true;
  const wrap = valueIn(table, 'data-card-wrap');
  if (wrap !== undefined) view.wrap = wrap !== 'false';
  return view;
}

const TYPES: readonly Exclude<ColumnType, 'text'>[] = [
  'number',
  'checkbox',
  'files',
  'users',
  'rating',
  'content-ref',
  'image',
  'select',
];

function columnOf(span: Span, head: HtmlElement, ids: KeyMaker): ReadColumn {
  const { element, children } = head;
  const id = ids.next(hashNodes(span, [head], 11));
  const select = children.find(
    (child): child is HtmlElement => isElement(child) && child.element.name === 'select',
  );
  const title = plainOf(span, select ? children.filter((child) => child !== select) : children);
  const definition = definitionOf(id, title, element, select);
  const width = Number(valueIn(element, 'width') || Number.NaN);
  return {
    id,
    definition,
    hidden: has(element, 'data-hidden'),
    width: Number.isFinite(width) ? width : undefined,
  };
}

function definitionOf(
  id: string,
  title: string,
  head: HtmlTag,
  select: HtmlElement | undefined,
): TableColumn {
  const type = select ? 'select' : (oneOf(valueIn(head, 'data-type'), TYPES) ?? 'text');
  switch (type) {
    case 'select': {
      const options = select
        ? findAll(select.children, 'option').map(({ element }) => optionOf(element))
        : [];
      return { id, title, type, multiple: select ? has(select.element, 'multiple') : false, options };
    }
    case 'users':
      return { id, title, type, multiple: has(head, 'data-multiple') };
    case 'rating':
      return { id, title, type, max: Number(valueIn(head, 'data-max')) || 5 };
    case 'text': {
      const textAlignment = oneOf(valueIn(head, 'align'), ['center', 'right']) ?? 'left';
      const verticalAlignment = oneOf(valueIn(head, 'valign'), ['top', 'middle', 'bottom']);
      return { id, title, type, textAlignment, ...(verticalAlignment ? { verticalAlignment } : {}) };
    }
    default:
      return { id, title, type };
  }
}

const optionOf = (option: HtmlTag): SelectOption => ({
  value: valueIn(option, 'value') ?? '',
  label: valueIn(option, 'label') ?? '',
  color: valueIn(option, 'color') ?? 'blue',
});

const cellsOf = (row: HtmlElement | undefined): HtmlElement[] =>
  row
    ? childElements(row.children).filter(({ element }) => element.name === 'td' || element.name === 'th')
    : [];

function blankColumns(row: HtmlElement | undefined, ids: KeyMaker, span: Span): ReadColumn[] {
  return cellsOf(row).map(() => {
    const id = ids.next(hashNodes(span, [], 12));
    const definition: TableColumn = { id, title: '', type: 'text', textAlignment: 'left' };
    return { id, definition, hidden: false, width: undefined };
  });
}

function readRow(
  reading: Reading,
  span: Span,
  row: HtmlElement,
  columns: readonly ReadColumn[],
  fragments: FragmentNode[],
  ids: KeyMaker,
  tableKey: string,
): ReadRow {
  const id = ids.next(hashNodes(span, [row], 13));
  const values: ReadRow['values'] = {};
  cellsOf(row).forEach((cell, index) => {
    const column = columns[index];
    if (!column) return;
    const value = cellValue(reading, span, cell, column, `${id}:${column.id}`, fragments, tableKey);
    if (value !== undefined) values[column.id] = value;
  });
  return { id, values };
}

function cellValue(
  reading: Reading,
  span: Span,
  cell: HtmlElement,
  column: ReadColumn,
  fragmentId: string,
  fragments: FragmentNode[],
  tableKey: string,
): unknown {
  const { type } = column.definition;
  if (type === 'text') {
    const nodes = new HtmlBlocks(reading, span, reading.depth + 2).read(cell.children);
    if (nodes.length === 0) return undefined;
    fragments.push({ object: 'fragment', key: `${tableKey}/${fragmentId}`, fragment: fragmentId, nodes });
    return fragmentId;
  }
  if (type === 'select') {
    const options = findAll(cell.children, 'span').map(({ element }) => valueIn(element, 'data-option'));
    return nonEmpty(options.filter((one) => one !== undefined));
  }
  if (type === 'users') {
    const users = findAll(cell.children, 'span').map(({ element }) => valueIn(element, 'data-user'));
    return nonEmpty(users.filter((one) => one !== undefined));
  }
  if (type === 'content-ref' || type === 'files' || type === 'image') return refIn(reading, span, cell, type);
  const text = plainOf(span, cell.children);
  if (text === '') return undefined;
  if (type === 'checkbox') return text === 'true';
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

const nonEmpty = (values: string[]): string[] | undefined => (values.length > 0 ? values : undefined);

function refIn(
  reading: Reading,
  span: Span,
  cell: HtmlElement,
  type: 'content-ref' | 'files' | 'image',
): unknown {
  const found = [...findAll(cell.children, 'a'), ...findAll(cell.children, 'img')].flatMap(({ element }) => {
    const attribute = attributeOf(element, 'href') ?? attributeOf(element, 'src');
    return attribute ? [attribute] : [];
  });
  if (type === 'files') {
    return nonEmpty(
      found.flatMap(({ from, to, value }) => {
        if (value === '') return [];
        const ref = refAt(reading, span, from, to, value, 'file');
        return ref.kind === 'file' ? ref.file : value;
      }),
    );
  }
  const [first] = found;
  if (!first) return undefined;
  if (type === 'content-ref') return refAt(reading, span, first.from, first.to, first.value, 'content-ref');
  const objectFit = valueIn(cell.element, 'data-object-fit');
  const fit = objectFit === 'contain' || objectFit === 'fill' || objectFit === 'cover' ? { objectFit } : {};
  return { ref: refAt(reading, span, first.from, first.to, first.value, 'image'), ...fit };
}
