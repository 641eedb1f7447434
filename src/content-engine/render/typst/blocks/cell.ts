import {
  starsOf,
  type Cell,
  type CellOf,
  type ImageRef,
  type SelectColumn,
} from '../../../document/index.ts';
import { inlines } from '../inlines.ts';
import { titled } from '../links.ts';
import { literal, words } from '../literal.ts';
import type { Context, Typesetter } from '../context.ts';

/** The content of a cell, by the type of its column. */
export const cellContent = (context: Context, cell: Cell | undefined): string =>
  cell ? (TYPESETTERS[cell.type] as Typesetter<Cell>)(context, cell) : '';

const TYPESETTERS: { readonly [Type in Cell['type']]: Typesetter<CellOf<Type>> } = {
  text,
  checkbox: (_, { value }) => `#checkbox(${value})`,
  rating,
  select: (_, { values, definition }) => values.map((value) => option(definition, value)).join('#h(0.3em)'),
  users: (context, { values }) => values.map((user) => titled(context, { kind: 'user', user })).join('#", "'),
  files: (context, { values }) =>
    values.map((id) => titled(context, { kind: 'file', file: id })).join('#linebreak()'),
  'content-ref': (context, { ref }) => titled(context, ref),
  image: (context, { image }) => cellImage(context, image.ref),
  number: (_, { value }) => words(String(value)),
};

/** One paragraph is set as its text alone. */
function text(context: Context, { nodes }: CellOf<'text'>): string {
  const [only, ...more] = nodes;
  return only?.type === 'paragraph' && more.length === 0
    ? inlines(context, only.nodes)
    : context.blocks(context, nodes);
}

function rating(_: Context, cell: CellOf<'rating'>): string {
  const { filled, all } = starsOf(cell);
  return `#rating(${filled}, ${all})`;
}

function option({ options = [] }: SelectColumn, value: string): string {
  const label = options.find((one) => one.value === value)?.label;
  return `#chip[${words(label || value)}]`;
}

export function cellImage(context: Context, ref: ImageRef): string {
  const path = context.picture(ref);
  return path === undefined ? '' : `#picture(${literal(path)}, "", auto, auto, false)`;
}
