import { COLORS, type Color, type PlainMark } from '../../../document/index.ts';
import { has, valueIn, type HtmlTag } from '../../scan/syntax/html-tag.ts';
import { oneOf } from '../../blocks/one-of.ts';
import type { MarkColors } from './inline-builder.ts';

/** Elements that are marks. */
export const MARK_OF: ReadonlyMap<string, PlainMark> = new Map(
  Object.entries({
    strong: 'bold',
    b: 'bold',
    em: 'italic',
    i: 'italic',
    del: 'strikethrough',
    s: 'strikethrough',
    strike: 'strikethrough',
    code: 'code',
    kbd: 'keyboard',
    sup: 'superscript',
    sub: 'subscript',
  }),
);

/** Elements without a node: their text counts, they do not. Any other `<word>` in a text is taken for that word. */
export const TRANSPARENT: ReadonlySet<string> = new Set(
  (
    'a abbr acronym address article aside bdi bdo big center cite data dfn div dl dt dd figcaption font footer form ' +
    'header ins label main nav p q ruby rp rt samp section small span time tt u var mark button picture source'
  ).split(' '),
);

/** `<a data-footnote-ref href="#user-content-fn-1">`: the label of the footnote that this text refers to. */
export function noteOf(element: HtmlTag): string | undefined {
  if (element.name !== 'a' || !has(element, 'data-footnote-ref')) return undefined;
  return /^#user-content-fn-(.+)$/.exec(valueIn(element, 'href') ?? '')?.[1];
}

/** `<mark style="color:orange;background-color:blue">`. */
export function colorOf(element: HtmlTag): MarkColors {
  const style = valueIn(element, 'style') ?? '';
  const color = (name: string): Color => {
    const found = new RegExp(`(?:^|;)\\s*${name}\\s*:\\s*([$\\w-]+)`).exec(style)?.[1];
    return oneOf(found, COLORS) ?? 'default';
  };
  return { text: color('color'), background: color('background-color') };
}
