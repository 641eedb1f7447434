import {
  blocksOf,
  inlinesOf,
  stringOf,
  type BlockNode,
  type Data,
  type FragmentNode,
} from '../../document/nodes.ts';
import { emptyBlock } from '../../document/empty-block.ts';
import type { BlockWriter } from '../blocks/kind.ts';
import { escapeAttribute, escapeHtml } from './escape.ts';

export interface TableColumn {
  readonly id: string;
  readonly definition: Data;
  readonly hidden: boolean;
}

export interface TableModel {
  readonly view: Data;
  readonly columns: readonly TableColumn[];
  /** Ids of the records, in the order of the rows. */
  readonly ids: readonly string[];
  /** Values by column, for the columns that have one: a table of many columns may have short rows. */
  readonly rows: readonly (readonly [index: number, value: unknown])[][];
  readonly fragments: ReadonlyMap<string, FragmentNode>;
}

/** A table as pipes when all columns are plain text of one paragraph per cell, else, or where asked for, as HTML. */
export function writeTable(writer: BlockWriter, block: BlockNode, html = false): string {
  const model = modelOf(block);
  return !html && isPlain(model, block.data ?? {})
    ? pipes(writer, model)
    : htmlTable(writer, model, block.data ?? {});
}

export function modelOf(block: BlockNode): TableModel {
  const data = block.data ?? {};
  const view = (data['view'] ?? {}) as Data;
  const definition = (data['definition'] ?? {}) as Record<string, Data>;
  const shown = (Array.isArray(view['columns']) ? view['columns'] : []).filter(
    (id): id is string => typeof id === 'string' && Object.hasOwn(definition, id),
  );
  const visible = new Set(shown);
  const order = [...visible, ...Object.keys(definition).filter((id) => !visible.has(id))];
  const columns = order.map((id) => ({ id, definition: definition[id] ?? {}, hidden: !visible.has(id) }));
  const records = Object.entries((data['records'] ?? {}) as Record<string, Data>).toSorted(
    ([, one], [, other]) => compare(String(one['orderIndex'] ?? ''), String(other['orderIndex'] ?? '')),
  );
  const place = new Map(order.map((id, index) => [id, index]));
  const rows = records.map(([, record]) => valuesOf((record['values'] ?? {}) as Data, place));
  const fragments = new Map((block.fragments ?? []).map((fragment) => [fragment.fragment ?? '', fragment]));
  return { view, columns, ids: records.map(([id]) => id), rows, fragments };
}

function valuesOf(values: Data, place: ReadonlyMap<string, number>): [number, unknown][] {
  const found: [number, unknown][] = [];
  for (const [id, value] of Object.entries(values)) {
    const index = place.get(id);
    if (index !== undefined && value !== undefined && value !== null) found.push([index, value]);
  }
  return found.toSorted(([one], [other]) => one - other);
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Whether a pipe table can say all that is not in the cells. */
export function hasPipeForm({ view, columns }: TableModel, data: Data): boolean {
  if (view['type'] === 'cards' || view['hideHeader'] === true || view['columnWidths'] || columns.length === 0)
    return false;
  if (data['fullWidth'] === true || data['search'] !== undefined) return false;
  return columns.every(
    ({ hidden, definition }) => !hidden && definition['type'] === 'text' && !definition['verticalAlignment'],
  );
}

const isPlain = (model: TableModel, data: Data): boolean =>
  hasPipeForm(model, data) &&
  model.rows.every((values) => values.every(([, value]) => isPlainCell(cellOf(value, model.fragments))));

export const cellOf = (value: unknown, fragments: ReadonlyMap<string, FragmentNode>): BlockNode[] =>
  (typeof value === 'string' ? (fragments.get(value)?.nodes ?? []) : []).filter(
    (block) => !emptyBlock(block),
  );

/** Code with pipes or backslashes is read differently in pipe tables. */
function isPlainCell(blocks: readonly BlockNode[]): boolean {
  const [only, ...more] = blocks;
  if (!only) return true;
  if (more.length > 0 || only.type !== 'paragraph' || only.data?.['align']) return false;
  return inlinesOf(only).every(
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
  if (more.length === 0 && only.type === 'paragraph' && !only.data?.['align'])
    return writer.cell(inlinesOf(only));
  const parts = blocks.map((block) => pipeCellBlock(writer, block));
  return parts.includes(undefined) ? undefined : parts.join('');
}

function pipeCellBlock(writer: BlockWriter, block: BlockNode): string | undefined {
  if (block.type === 'paragraph') {
    const align = { center: ' align="center"', end: ' align="right"' }[String(block.data?.['align'])] ?? '';
    return `<p${align}>${writer.cell(inlinesOf(block))}</p>`;
  }
  if (block.type !== 'list-unordered' && block.type !== 'list-ordered') return undefined;
  const items = blocksOf(block).map((item) =>
    pipeCell(
      writer,
      blocksOf(item).filter((one) => !emptyBlock(one)),
    ),
  );
  if (items.includes(undefined)) return undefined;
  const name = block.type === 'list-ordered' ? 'ol' : 'ul';
  const start = Number(block.data?.['start'] ?? 1);
  const from = name === 'ol' && start > 1 ? ` start="${start}"` : '';
  return `<${name}${from}>${items.map((item) => `<li>${item ?? ''}</li>`).join('')}</${name}>`;
}

function pipes(writer: BlockWriter, { columns, rows, fragments }: TableModel): string {
  const head = columns.map(({ definition }) => writer.cell(titleNodes(definition)));
  const rule = columns.map(({ definition }) => ruleOf(definition['textAlignment']));
  const body = rows.map((values) =>
    cellsOf(values, '', (_index, value) => {
      const [paragraph] = cellOf(value, fragments);
      return paragraph ? writer.cell(inlinesOf(paragraph)) : '';
    }),
  );
  // A row without any cell would be a line that is no row.
  return [head, rule, ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The cells of a row up to its last value. */
function cellsOf(
  values: readonly (readonly [number, unknown])[],
  empty: string,
  write: (index: number, value: unknown) => string,
): string[] {
  const cells: string[] = [];
  for (const [index, value] of values) {
    while (cells.length < index) cells.push(empty);
    cells.push(write(index, value));
  }
  return cells;
}

export const titleNodes = (
  definition: Data,
): { object: 'text'; leaves: { object: 'leaf'; text: string; marks: [] }[] }[] => [
  { object: 'text', leaves: [{ object: 'leaf', text: stringOf(definition, 'title') ?? '', marks: [] }] },
];

export const ruleOf = (alignment: unknown): string =>
  alignment === 'center' ? ':---:' : alignment === 'right' ? '---:' : '---';

/** Rows are filled up with empty cells to this many: those of a table with very many columns may be short. */
const MOST_EMPTY = 50;

function htmlTable(writer: BlockWriter, model: TableModel, data: Data): string {
  const { view, columns, rows } = model;
  const attributes = [
    view['type'] === 'cards' ? ' data-view="cards"' : '',
    view['cardSize'] === 'large' ? ' data-card-size="large"' : '',
    typeof view['wrap'] === 'boolean' ? ` data-card-wrap="${view['wrap']}"` : '',
    view['hideHeader'] === true ? ' data-header-hidden' : '',
    view['hideColumnTitle'] === true ? ' data-column-title-hidden' : '',
    data['fullWidth'] === true ? ' data-full-width="true"' : '',
    typeof data['search'] === 'boolean' ? ` data-search="${data['search']}"` : '',
  ].join('');
  const head = columns.map((column) => headCell(column, view)).join('');
  const body = rows.map((values) => {
    const write = (index: number, value: unknown): string =>
      bodyCell(writer, model, columns[index] as TableColumn, value);
    const cells = cellsOf(values, '<td></td>', write);
    while (cells.length < Math.min(columns.length, MOST_EMPTY)) cells.push('<td></td>');
    return `<tr>${cells.join('')}</tr>`;
  });
  return `<table${attributes}><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table>`;
}

function headCell({ id, definition, hidden }: TableColumn, view: Data): string {
  const { type, title, textAlignment, verticalAlignment, multiple, max, options } = definition;
  const width = (view['columnWidths'] as Record<string, unknown> | undefined)?.[id];
  const plain = type === 'text' || type === 'select' || type === undefined;
  const attributes = [
    typeof width === 'number' ? ` width="${width}"` : '',
    textAlignment === 'center' || textAlignment === 'right' ? ` align="${textAlignment}"` : '',
    typeof verticalAlignment === 'string' ? ` valign="${escapeAttribute(verticalAlignment)}"` : '',
    hidden ? ' data-hidden' : '',
    view['targetDefinition'] === id ? ' data-card-target' : '',
    view['coverDefinition'] === id ? ' data-card-cover' : '',
    view['coverDefinitionDark'] === id ? ' data-card-cover-dark' : '',
    plain ? '' : ` data-type="${escapeAttribute(String(type))}"`,
    type === 'users' && multiple === true ? ' data-multiple' : '',
    type === 'rating' ? ` data-max="${String(max)}"` : '',
  ].join('');
  const select = type === 'select' ? selectText(multiple === true, options) : '';
  return `<th${attributes}>${escapeHtml(typeof title === 'string' ? title : '')}${select}</th>`;
}

function selectText(multiple: boolean, options: unknown): string {
  const list = (Array.isArray(options) ? options : []) as Data[];
  const written = list.map((option) => {
    const attributes = ['value', 'label', 'color'].map(
      (name) => ` ${name}="${escapeAttribute(String(option[name] ?? ''))}"`,
    );
    return `<option${attributes.join('')}></option>`;
  });
  return `<select${multiple ? ' multiple' : ''}>${written.join('')}</select>`;
}

function bodyCell(
  writer: BlockWriter,
  model: TableModel,
  { definition }: TableColumn,
  value: unknown,
): string {
  switch (definition['type']) {
    case 'text':
    case undefined:
      return `<td>${writer.html(cellOf(value, model.fragments))}</td>`;
    case 'select': {
      const labels = new Map(
        ((definition['options'] ?? []) as Data[]).map((option) => [option['value'], option['label']]),
      );
      const list = Array.isArray(value) ? value : [value];
      const spans = list.map(
        (one) =>
          `<span data-option="${escapeAttribute(String(one))}">${escapeHtml(String(labels.get(one) ?? ''))}</span>`,
      );
      return `<td>${spans.join(', ')}</td>`;
    }
    case 'users': {
      const list = Array.isArray(value) ? value : [value];
      return `<td>${list.map((one) => `<span data-user="${escapeAttribute(String(one))}"></span>`).join(', ')}</td>`;
    }
    case 'files': {
      const list = Array.isArray(value) ? value : [value];
      return `<td>${list.map((one) => link(writer.href({ kind: 'file', file: String(one) }, 'file'))).join(', ')}</td>`;
    }
    case 'content-ref':
      return `<td>${link(writer.href(value, 'content-ref'))}</td>`;
    case 'image': {
      const { ref, objectFit } = value as { ref?: unknown; objectFit?: unknown };
      const fit = typeof objectFit === 'string' ? ` data-object-fit="${escapeAttribute(objectFit)}"` : '';
      return `<td${fit}>${link(writer.href(ref ?? value, 'image'))}</td>`;
    }
    default:
      return `<td>${escapeHtml(String(value))}</td>`;
  }
}

const link = (href: string): string =>
  `<a href="${escapeAttribute(href)}">${escapeHtml(href.slice(href.lastIndexOf('/') + 1) || href)}</a>`;
