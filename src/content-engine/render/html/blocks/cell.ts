import {
  starsOf,
  type Cell,
  type CellOf,
  type SelectColumn,
  type SelectOption,
} from '../../../document/index.ts';
import { colorName } from '../color.ts';
import { apart, type Context, type Renderer } from '../context.ts';
import { icon } from '../inlines/icons.ts';
import { compact } from '../inlines/inlines.ts';
import { fileOf, picture } from '../inlines/picture.ts';
import { anchor, mention, targetOf, titleOf } from '../inlines/links.ts';
import { element, type HtmlNode } from '../node.ts';
import { fill } from '../words.ts';

/** The content of a cell, by the type of its column. */
export const cellContent = (context: Context, cell: Cell | undefined): HtmlNode =>
  cell && (RENDERERS[cell.type] as Renderer<Cell>)(context, cell);

const RENDERERS: { readonly [Type in Cell['type']]: Renderer<CellOf<Type>> } = {
  text: (context, { nodes }) => compact(apart(context), nodes),
  checkbox,
  rating,
  select: (_, { values, definition }) => values.map((value) => option(definition, value)),
  users: (context, { values }) => separated(values.map((user) => mention(context, { kind: 'user', user }))),
  files: (context, { values }) => separated(values.map((id) => fileLink(context, id))),
  'content-ref': (context, { ref }) => mention(context, ref),
  image: (context, { image }) => picture(context, { ref: image.ref, alt: '' }),
  number: ({ locale }, { value }) => (typeof value === 'number' ? value.toLocaleString(locale) : value),
};

const separated = (nodes: readonly HtmlNode[]): HtmlNode =>
  nodes.map((node, index) => (index === 0 ? node : [', ', node]));

/** A sign, and the word for those who do not see it. */
function checkbox(context: Context, { value }: CellOf<'checkbox'>): HtmlNode {
  const { yes, no } = context.words;
  const sign = value ? icon(context, 'check') : icon(context, 'minus', 'off');
  return [sign, element('span', { class: 'hidden' }, value ? yes : no)];
}

function rating(context: Context, cell: CellOf<'rating'>): HtmlNode {
  const { filled, all } = starsOf(cell);
  return [
    element(
      'span',
      { class: 'rating', 'aria-hidden': 'true' },
      '★'.repeat(filled) + '☆'.repeat(all - filled),
    ),
    element('span', { class: 'hidden' }, fill(context.words.rating, { value: filled, max: all })),
  ];
}

/** Options by value: a column may have thousands, and each of its cells looks some up. */
const optionsOf = new WeakMap<SelectColumn, ReadonlyMap<string, SelectOption>>();

function option(definition: SelectColumn, value: string): HtmlNode {
  const known =
    optionsOf.get(definition) ?? new Map((definition.options ?? []).map((one) => [one.value, one] as const));
  optionsOf.set(definition, known);
  const own = known.get(value);
  return element('span', { class: 'badge', 'data-color': colorName(own?.color) }, own?.label || value);
}

function fileLink(context: Context, id: string): HtmlNode {
  const ref = { kind: 'file', file: id } as const;
  const file = fileOf(context, ref);
  const target = targetOf(context, ref);
  const name = file?.name ?? (target && titleOf(target, ref));
  if (name === undefined || name === '')
    return element('span', { class: 'broken' }, context.words.missingFile);
  if (context.isInteractive) return name;
  if (file) return element('a', { href: file.src, download: true }, name);
  return anchor(context, ref, {}, name) ?? name;
}
