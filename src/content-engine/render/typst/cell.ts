import { inlinesOf } from '../../document/nodes.ts';
import type { ContentRef } from '../../markdown/index.ts';
import { inlines } from './inlines.ts';
import { titled } from './links.ts';
import { literal, words } from './literal.ts';
import type { Setting } from './context.ts';
import { fragmentOf, type Column, type Row, type Table } from './table-data.ts';

/** The content of a cell: a value is shown by the type of its column. */
export function cell(setting: Setting, table: Table, column: Column, row: Row): string {
  const value = row[column.id];
  if (value === undefined || value === null) return '';
  switch (column.type) {
    case 'text':
      return text(setting, table, value);
    case 'checkbox':
      return `#checkbox(${value === true})`;
    case 'rating':
      return rating(column, value);
    case 'select':
      return list(value)
        .map((one) => option(column, one))
        .join('#h(0.3em)');
    case 'users':
      return list(value)
        .map((user) => titled(setting, { kind: 'user', user }))
        .join('#", "');
    case 'files':
      return list(value)
        .map((file) => titled(setting, { kind: 'file', file }))
        .join('#linebreak()');
    case 'content-ref':
      return titled(setting, value as ContentRef);
    case 'image':
      return image(setting, value);
    default:
      return words(typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
}

/** One paragraph is just its text; a value without a fragment is text itself. */
function text(setting: Setting, table: Table, value: unknown): string {
  const [only, ...more] = fragmentOf(table, value);
  if (!only) return table.fragments.size > 0 ? '' : words(String(value));
  return only.type === 'paragraph' && more.length === 0
    ? inlines(setting, inlinesOf(only))
    : setting.blocks(setting, [only, ...more]);
}

const list = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(String);

function rating({ definition }: Column, value: unknown): string {
  const max = Math.min(Math.max(Number(definition['max']) || 5, 1), 10);
  const filled = Math.min(Math.max(Math.round(Number(value)) || 0, 0), max);
  return `#rating(${filled}, ${max})`;
}

function option({ definition }: Column, value: string): string {
  const options = Array.isArray(definition['options']) ? (definition['options'] as unknown[]) : [];
  const found = options.find((one) => (one as { value?: unknown } | null)?.value === value);
  const label = (found as { label?: unknown } | undefined)?.label;
  return `#chip[${words(typeof label === 'string' && label !== '' ? label : value)}]`;
}

export function image(setting: Setting, value: unknown): string {
  const path = setting.picture((value as { ref?: unknown }).ref);
  return path === undefined ? '' : `#picture(${literal(path)}, "", auto, auto, false)`;
}
