import { emojiText } from '../../../document/index.ts';
import type { Context } from '../context.ts';
import { element, type HtmlNode } from '../node.ts';
import type { Target } from '../options.ts';

const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** An icon beside words, which says nothing that they do not say. Nothing where the name is unknown. */
export function icon(
  { options, page }: Pick<Context, 'options' | 'page'>,
  name: string,
  modifier = '',
): HtmlNode {
  if (!NAME.test(name)) return undefined;
  const href = options.iconHref ? options.iconHref(name) : `#i-${name}`;
  if (href === undefined) return undefined;
  page.icons.add(name);
  const attributes = { class: modifier === '' ? 'i' : `i ${modifier}`, 'aria-hidden': 'true' };
  return element('svg', attributes, element('use', { href }));
}

/** The emoji or icon of a target, or the icon of its kind. */
export function signOf(context: Context, { emoji, icon: name }: Target, fallback: string): HtmlNode {
  const text = emoji === undefined ? '' : emojiText(emoji);
  if (text !== '') return element('span', { class: 'i emoji', 'aria-hidden': 'true' }, text);
  return (name === undefined ? undefined : icon(context, name)) ?? icon(context, fallback);
}
