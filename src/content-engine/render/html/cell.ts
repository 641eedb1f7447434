import type { Cell, RatingColumn, SelectColumn, SelectOption } from '../../document/index.ts';
import { colorName } from './color.ts';
import { apart, type Context } from './context.ts';
import { icon } from './icons.ts';
import { compact } from './inlines.ts';
import { fileOf, picture } from './picture.ts';
import { anchor, mention, targetOf, titleOf } from './links.ts';
import { element, type HtmlNode } from './node.ts';
import { fill } from './words.ts';

/** The content of a cell, by the type of its column. */
export function cellContent(context: Context, cell: Cell | undefined): HtmlNode {
  switch (cell?.type) {
    case undefined:
      return undefined;
    case 'text':
      return compact(apart(context), cell.nodes);
    case 'checkbox':
      return checkbox(context, cell.value);
    case 'rating':
      return rating(context, cell.definition, cell.value);
    case 'select':
      return cell.values.map((value) => option(cell.definition, value));
    case 'users':
      return separated(cell.values.map((user) => mention(context, { kind: 'user', user })));
    case 'files':
      return separated(cell.values.map((id) => fileLink(context, id)));
    case 'content-ref':
      return mention(context, cell.ref);
    case 'image':
      return picture(context, { ref: cell.image.ref, alt: '' });
    case 'number':
      return typeof cell.value === 'number' ? cell.value.toLocaleString(context.locale) : cell.value;
  }
}

const separated = (nodes: readonly HtmlNode[]): HtmlNode =>
  nodes.map((node, index) => (index === 0 ? node : [', ', node]));

/** A sign, and the word for those who do not see it. */
function checkbox(context: Context, value: boolean): HtmlNode {
  const { yes, no } = context.words;
  const sign = value ? icon(context, 'check') : icon(context, 'minus', 'off');
  return [sign, element('span', { class: 'hidden' }, value ? yes : no)];
}

function rating(context: Context, { max = 5 }: RatingColumn, value: number | string): HtmlNode {
  const stars = Math.min(Math.max(max || 5, 1), 10);
  const filled = Math.min(Math.max(Math.round(Number(value)) || 0, 0), stars);
  return [
    element(
      'span',
      { class: 'rating', 'aria-hidden': 'true' },
      '★'.repeat(filled) + '☆'.repeat(stars - filled),
    ),
    element('span', { class: 'hidden' }, fill(context.words.rating, { value: filled, max: stars })),
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
