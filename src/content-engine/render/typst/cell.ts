import type { BlockNode, Cell, CellImage, RatingColumn, SelectColumn } from '../../document/index.ts';
import { inlines } from './inlines.ts';
import { titled } from './links.ts';
import { literal, words } from './literal.ts';
import type { Context } from './context.ts';

/** The content of a cell, by the type of its column. */
export function cellContent(context: Context, cell: Cell | undefined): string {
  switch (cell?.type) {
    case undefined:
      return '';
    case 'text':
      return text(context, cell.nodes);
    case 'checkbox':
      return `#checkbox(${cell.value})`;
    case 'rating':
      return rating(cell.definition, cell.value);
    case 'select':
      return cell.values.map((value) => option(cell.definition, value)).join('#h(0.3em)');
    case 'users':
      return cell.values.map((user) => titled(context, { kind: 'user', user })).join('#", "');
    case 'files':
      return cell.values.map((id) => titled(context, { kind: 'file', file: id })).join('#linebreak()');
    case 'content-ref':
      return titled(context, cell.ref);
    case 'image':
      return cellImage(context, cell.image);
    case 'number':
      return words(String(cell.value));
  }
}

/** One paragraph is set as its text alone. */
function text(context: Context, nodes: readonly BlockNode[]): string {
  const [only, ...more] = nodes;
  return only?.type === 'paragraph' && more.length === 0
    ? inlines(context, only.nodes)
    : context.blocks(context, nodes);
}

function rating({ max = 5 }: RatingColumn, value: number | string): string {
  const stars = Math.min(Math.max(max || 5, 1), 10);
  const filled = Math.min(Math.max(Math.round(Number(value)) || 0, 0), stars);
  return `#rating(${filled}, ${stars})`;
}

function option({ options = [] }: SelectColumn, value: string): string {
  const label = options.find((one) => one.value === value)?.label;
  return `#chip[${words(label || value)}]`;
}

export function cellImage(context: Context, { ref }: CellImage): string {
  const path = context.picture(ref);
  return path === undefined ? '' : `#picture(${literal(path)}, "", auto, auto, false)`;
}
