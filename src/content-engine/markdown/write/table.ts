import {
  isEmpty,
  plainTextNode,
  readTable,
  type BlockNode,
  type Cell,
  type Column,
  type InlineContent,
  type OrderedListBlock,
  type SelectColumn,
  type Table,
  type TableBlock,
  type TextColumn,
  type UnorderedListBlock,
} from '../../document/index.ts';
import type { BlockWriter } from '../blocks/kind.ts';
import { startOf } from '../blocks/lists.ts';
import { escapeAttribute, escapeHtml } from './escape.ts';

/** A table as pipes when all columns are plain text of one paragraph per cell, else, or where asked for, as HTML. */
export function writeTable(writer: BlockWriter, block: TableBlock, html = false): string {
  const table = readTable(block);
  return !html && isPlain(table, block) ? pipes(writer, table) : htmlTable(writer, table, block);
}

/** Whether a pipe table can express the columns and options of the table. */
export function hasPipeForm({ view, columns }: Table, { data }: TableBlock): boolean {
  if (view.type === 'cards' || view.hideHeader === true || view.columnWidths || columns.length === 0)
    return false;
  if (data.fullWidth === true || data.search !== undefined) return false;
  return columns.every(
    ({ hidden, definition }) => !hidden && definition.type === 'text' && !definition.verticalAlignment,
  );
}

const isPlain = (table: Table, block: TableBlock): boolean =>
  hasPipeForm(table, block) &&
  table.rows.every(({ cells }) => cells.every(([, cell]) => isPlainCell(blocksIn(cell))));

/** The blocks of a text cell. */
export const blocksIn = (cell: Cell | undefined): BlockNode[] =>
  cell?.type === 'text' ? cell.nodes.filter((block) => !isEmpty(block)) : [];

/** Code with pipes or backslashes is read differently in pipe tables. */
function isPlainCell(blocks: readonly BlockNode[]): boolean {
  const [only, ...more] = blocks;
  if (!only) return true;
  if (more.length > 0 || only.type !== 'paragraph' || only.data?.align) return false;
  return (only.nodes ?? []).every(
    (node) =>
      (node.object === 'inline' && node.type !== 'inline-math' && node.type !== 'annotation') ||
      (node.object === 'text' &&
        node.leaves.every(
          (leaf) => !(leaf.marks.some((mark) => mark.type === 'code') && /[|\\\n\r]/.test(leaf.text)),
        )),
  );
}

/** The blocks of a cell of a pipe table; undefined where only an HTML table can hold them. */
export function pipeCell(writer: BlockWriter, blocks: readonly BlockNode[]): string | undefined {
  const [only, ...more] = blocks;
  if (!only) return '';
  if (more.length === 0 && only.type === 'paragraph' && !only.data?.align)
    return writer.cell(only.nodes ?? []);
  const parts = blocks.map((block) => pipeCellBlock(writer, block));
  return parts.includes(undefined) ? undefined : parts.join('');
}

function pipeCellBlock(writer: BlockWriter, block: BlockNode): string | undefined {
  switch (block.type) {
    case 'paragraph': {
      const align = { start: '', center: ' align="center"', end: ' align="right"' }[
        block.data?.align ?? 'start'
      ];
      return `<p${align}>${writer.cell(block.nodes ?? [])}</p>`;
    }
    case 'list-unordered':
    case 'list-ordered':
      return pipeCellList(writer, block);
    default:
      return undefined;
  }
}

function pipeCellList(writer: BlockWriter, list: OrderedListBlock | UnorderedListBlock): string | undefined {
  const items = (list.nodes ?? []).map((item) =>
    pipeCell(
      writer,
      (item.nodes ?? []).filter((one) => !isEmpty(one)),
    ),
  );
  if (items.includes(undefined)) return undefined;
  const content = items.map((item) => `<li>${item ?? ''}</li>`).join('');
  const start = startOf(list);
  return list.type === 'list-ordered'
    ? `<ol${start > 1 ? ` start="${start}"` : ''}>${content}</ol>`
    : `<ul>${content}</ul>`;
}

function pipes(writer: BlockWriter, { columns, rows }: Table): string {
  const head = columns.map((column) => writer.cell(titleNodes(column)));
  const rule = columns.map(ruleOf);
  const body = rows.map(({ cells }) =>
    cellTexts(cells, '', (cell) => {
      const [paragraph] = blocksIn(cell);
      return paragraph?.type === 'paragraph' ? writer.cell(paragraph.nodes ?? []) : '';
    }),
  );
  // A row without any cell would be a line that is no row.
  return [head, rule, ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The cells of a row up to its last value. */
function cellTexts(
  cells: Table['rows'][number]['cells'],
  empty: string,
  write: (cell: Cell) => string,
): string[] {
  const texts: string[] = [];
  for (const [index, cell] of cells) {
    while (texts.length < index) texts.push(empty);
    texts.push(write(cell));
  }
  return texts;
}

export const titleNodes = ({ title }: Column): InlineContent[] => [plainTextNode(title)];

/** The delimiter of a column, below its title. */
export function ruleOf({ definition }: Pick<Column, 'definition'>): string {
  const alignment = definition.type === 'text' ? definition.textAlignment : undefined;
  return alignment === 'center' ? ':---:' : alignment === 'right' ? '---:' : '---';
}

/** Rows are filled up with empty cells to this many: those of a table with very many columns stay short. */
const MAX_EMPTY_CELLS = 50;

function htmlTable(writer: BlockWriter, { view, columns, rows }: Table, { data }: TableBlock): string {
  const attributes = [
    ...viewAttributes(view),
    data.fullWidth === true ? ' data-full-width="true"' : '',
    data.search === undefined ? '' : ` data-search="${data.search}"`,
  ].join('');
  const head = columns.map((column) => headCell(column, view)).join('');
  const body = rows.map(({ cells }) => {
    const texts = cellTexts(cells, '<td></td>', (cell) => bodyCell(writer, cell));
    while (texts.length < Math.min(columns.length, MAX_EMPTY_CELLS)) texts.push('<td></td>');
    return `<tr>${texts.join('')}</tr>`;
  });
  return `<table${attributes}><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table>`;
}

const viewAttributes = (view: Table['view']): string[] =>
  view.type === 'grid'
    ? [view.hideHeader === true ? ' data-header-hidden' : '']
    : [
        ' data-view="cards"',
        view.cardSize === 'large' ? ' data-card-size="large"' : '',
        view.wrap === undefined ? '' : ` data-card-wrap="${view.wrap}"`,
        view.hideColumnTitle === true ? ' data-column-title-hidden' : '',
      ];

function headCell({ id, title, definition, hidden }: Column, view: Table['view']): string {
  const { type } = definition;
  const width = view.type === 'grid' ? view.columnWidths?.[id] : undefined;
  const attributes = [
    width === undefined ? '' : ` width="${width}"`,
    type === 'text' ? alignmentOf(definition) : '',
    hidden ? ' data-hidden' : '',
    ...(view.type === 'cards'
      ? [
          view.targetDefinition === id ? ' data-card-target' : '',
          view.coverDefinition === id ? ' data-card-cover' : '',
          view.coverDefinitionDark === id ? ' data-card-cover-dark' : '',
        ]
      : []),
    type === 'text' || type === 'select' ? '' : ` data-type="${type}"`,
    type === 'users' && definition.multiple === true ? ' data-multiple' : '',
    type === 'rating' ? ` data-max="${String(definition.max)}"` : '',
  ].join('');
  return `<th${attributes}>${escapeHtml(title)}${type === 'select' ? selectElement(definition) : ''}</th>`;
}

function alignmentOf({ textAlignment, verticalAlignment }: TextColumn): string {
  const across = textAlignment === 'center' || textAlignment === 'right' ? ` align="${textAlignment}"` : '';
  return verticalAlignment === undefined ? across : `${across} valign="${verticalAlignment}"`;
}

function selectElement({ multiple, options = [] }: SelectColumn): string {
  const written = options.map(({ value, label = '', color = '' }) => {
    const attributes = Object.entries({ value, label, color }).map(
      ([name, text]) => ` ${name}="${escapeAttribute(text)}"`,
    );
    return `<option${attributes.join('')}></option>`;
  });
  return `<select${multiple === true ? ' multiple' : ''}>${written.join('')}</select>`;
}

function bodyCell(writer: BlockWriter, cell: Cell): string {
  switch (cell.type) {
    case 'text':
      return `<td>${writer.html(blocksIn(cell))}</td>`;
    case 'select': {
      const labels = new Map(cell.definition.options?.map(({ value, label }) => [value, label]));
      const spans = cell.values.map(
        (value) =>
          `<span data-option="${escapeAttribute(value)}">${escapeHtml(labels.get(value) ?? '')}</span>`,
      );
      return `<td>${spans.join(', ')}</td>`;
    }
    case 'users':
      return `<td>${cell.values.map((user) => `<span data-user="${escapeAttribute(user)}"></span>`).join(', ')}</td>`;
    case 'files':
      return `<td>${cell.values.map((id) => link(writer.href({ kind: 'file', file: id }, 'file'))).join(', ')}</td>`;
    case 'content-ref':
      return `<td>${link(writer.href(cell.ref, 'content-ref'))}</td>`;
    case 'image': {
      const { ref, objectFit } = cell.image;
      const fit = objectFit === undefined ? '' : ` data-object-fit="${objectFit}"`;
      return `<td${fit}>${link(writer.href(ref, 'image'))}</td>`;
    }
    case 'number':
    case 'rating':
    case 'checkbox':
      return `<td>${escapeHtml(String(cell.value))}</td>`;
  }
}

const link = (href: string): string =>
  `<a href="${escapeAttribute(href)}">${escapeHtml(href.slice(href.lastIndexOf('/') + 1) || href)}</a>`;
