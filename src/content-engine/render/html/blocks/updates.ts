import type { UpdateBlock, UpdatesBlock } from '../../../document/index.ts';
import { colorName } from '../color.ts';
import type { Context, Renderer } from '../context.ts';
import { icon } from '../inlines/icons.ts';
import { targetOf, titleOf } from '../inlines/links.ts';
import { element, type HtmlNode } from '../node.ts';

type Format = NonNullable<NonNullable<UpdatesBlock['data']>['format']>;

const FORMATS: Readonly<Record<Format, Intl.DateTimeFormatOptions>> = {
  full: { dateStyle: 'long', timeZone: 'UTC' },
  short: { dateStyle: 'medium', timeZone: 'UTC' },
  numeric: { dateStyle: 'short', timeZone: 'UTC' },
};

/** A changelog: dated entries, newest as the author ordered them. */
export const updates: Renderer<UpdatesBlock> = (context, { data, nodes = [] }) => {
  if (nodes.length === 0) return undefined;
  const format = new Intl.DateTimeFormat(context.locale, FORMATS[data?.format ?? 'short'] ?? FORMATS.short);
  return element(
    'ol',
    { class: 'updates' },
    nodes.map((update) => () => updateOf(context, update, format)),
  );
};

function updateOf(
  context: Context,
  { data, nodes = [] }: UpdateBlock,
  format: Intl.DateTimeFormat,
): HtmlNode {
  const date = data?.date ?? '';
  const tags = (data?.tags ?? []).map((ref) => {
    const target = targetOf(context, ref) ?? {};
    const sign = target.icon === undefined ? undefined : icon(context, target.icon);
    return element(
      'span',
      { class: 'badge', 'data-color': colorName(target.color) },
      sign,
      titleOf(target, ref),
    );
  });
  return element(
    'li',
    {},
    timeOf(date, format),
    element(
      'div',
      { class: 'flow' },
      tags.length === 0 ? undefined : element('p', {}, tags),
      context.blocks(context, nodes),
    ),
  );
}

/** A date that is none is shown as it is written. */
function timeOf(date: string, format: Intl.DateTimeFormat): HtmlNode {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(date)?.[0] ?? '';
  const time = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(time)
    ? element('span', { class: 'date' }, date)
    : element('time', { datetime: day }, format.format(time));
}
