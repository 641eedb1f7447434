import type { BlockNode, ContentRef, Data, FragmentNode, InlineNode } from '../../document/nodes.ts';
import { attributeOf, valueIn, type Element } from '../scan/element.ts';
import { refAt, type Reading } from './reading.ts';
import type { Span } from './span.ts';

/** Images, from `<img>`, `<picture>` and `<figure>`. */

export interface Picture {
  readonly image: Element | undefined;
  readonly dark: Element | undefined;
}

const attributeRef = (
  reading: Reading,
  span: Span,
  element: Element,
  name: string,
  kind: 'image' | 'drawing',
): ContentRef => {
  const found = attributeOf(element, name);
  const href = (found?.value ?? '').trim();
  return found ? refAt(reading, span, found.from, found.to, href, kind) : { kind: 'url', url: '' };
};

function pictureData(reading: Reading, span: Span, { image, dark }: Picture): Data {
  const data: Data = {
    ref: image ? attributeRef(reading, span, image, 'src', 'image') : { kind: 'url', url: '' },
  };
  if (dark) data['refDark'] = attributeRef(reading, span, dark, 'srcset', 'image');
  const alt = image && valueIn(image, 'alt');
  if (alt) data['alt'] = alt;
  return data;
}

export const isDarkSource = (element: Element): boolean =>
  element.name === 'source' && /dark/.test(valueIn(element, 'media') ?? '');

export function inlineImage(reading: Reading, span: Span, picture: Picture): InlineNode {
  const data = pictureData(reading, span, picture);
  const size = picture.image && valueIn(picture.image, 'data-size');
  if (size === 'line' || size === 'original') data['size'] = size;
  const caption = picture.image && valueIn(picture.image, 'title');
  if (caption) data['caption'] = caption;
  return { object: 'inline', type: 'inline-image', data, isVoid: true };
}

/** `375`, `50%`, `12.5em`. */
export function lengthOf(value: string | undefined): number | { unit: string; value: number } | undefined {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([a-z%]*)\s*$/.exec(value ?? '');
  if (!match) return undefined;
  const amount = Number(match[1]);
  const unit = match[2] ?? '';
  return unit === '' ? amount : { unit, value: amount };
}

export function imageBlock(
  reading: Reading,
  span: Span,
  picture: Picture,
  key: string,
  caption: BlockNode | undefined,
): BlockNode {
  const data = pictureData(reading, span, picture);
  for (const name of ['width', 'height'] as const) {
    const length = picture.image && lengthOf(valueIn(picture.image, name));
    if (length !== undefined) data[name] = length;
  }
  const fragments: FragmentNode[] = caption
    ? [{ object: 'fragment', key: `${key}/caption`, fragment: 'caption', nodes: [caption] }]
    : [];
  return { object: 'block', type: 'image', key, data, fragments, isVoid: true };
}

/** `<img class="gitbook-drawing">`. */
export const isDrawing = (element: Element): boolean =>
  /(^|\s)gitbook-drawing(\s|$)/.test(valueIn(element, 'class') ?? '');

export function drawingBlock(reading: Reading, span: Span, element: Element, key: string): BlockNode {
  const data: Data = valueIn(element, 'src')?.trim()
    ? { ref: attributeRef(reading, span, element, 'src', 'drawing') }
    : {};
  return { object: 'block', type: 'drawing', key, data, isVoid: true };
}
