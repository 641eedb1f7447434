import type {
  DrawingBlock,
  ImageBlock,
  ImageData,
  ImageInline,
  ImageRef,
  Length,
  ParagraphBlock,
} from '../../document/index.ts';
import { attributeOf, valueIn, type HtmlTag } from '../scan/syntax/html-tag.ts';
import { refAt, type Reading } from './reading.ts';
import type { Span } from './span.ts';

/** Images, from `<img>`, `<picture>` and `<figure>`. */

export interface Picture {
  readonly image: HtmlTag | undefined;
  readonly dark: HtmlTag | undefined;
}

function imageRef(reading: Reading, span: Span, element: HtmlTag | undefined, name: string): ImageRef {
  const found = element && attributeOf(element, name);
  if (!found) return { kind: 'url', url: '' };
  return refAt(reading, span, found.from, found.to, found.value.trim(), 'image');
}

function imageData(
  reading: Reading,
  span: Span,
  { image, dark }: Picture,
): Pick<ImageData, 'ref' | 'refDark' | 'alt'> {
  const data: Pick<ImageData, 'ref' | 'refDark' | 'alt'> = { ref: imageRef(reading, span, image, 'src') };
  if (dark) data.refDark = imageRef(reading, span, dark, 'srcset');
  const alt = image && valueIn(image, 'alt');
  if (alt) data.alt = alt;
  return data;
}

export const isDarkSource = (element: HtmlTag): boolean =>
  element.name === 'source' && /dark/.test(valueIn(element, 'media') ?? '');

export function inlineImage(reading: Reading, span: Span, picture: Picture): ImageInline {
  const data: ImageInline['data'] = imageData(reading, span, picture);
  const size = picture.image && valueIn(picture.image, 'data-size');
  if (size === 'line' || size === 'original') data.size = size;
  const caption = picture.image && valueIn(picture.image, 'title');
  if (caption) data.caption = caption;
  return { object: 'inline', type: 'inline-image', data, isVoid: true };
}

/** `375`, `50%`, `12.5em`. */
export function lengthOf(value: string | undefined): Length | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z%]*)$/.exec((value ?? '').trim());
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
  caption: ParagraphBlock | undefined,
): ImageBlock {
  const data: ImageData = imageData(reading, span, picture);
  for (const name of ['width', 'height'] as const) {
    const length = picture.image && lengthOf(valueIn(picture.image, name));
    if (length !== undefined) data[name] = length;
  }
  const fragments: ImageBlock['fragments'] = caption
    ? [{ object: 'fragment', key: `${key}/caption`, fragment: 'caption', nodes: [caption] }]
    : [];
  return { object: 'block', type: 'image', key, data, fragments, isVoid: true };
}

/** `<img class="gitbook-drawing">`. */
export const isDrawing = (element: HtmlTag): boolean =>
  /(^|\s)gitbook-drawing(\s|$)/.test(valueIn(element, 'class') ?? '');

export function drawingBlock(reading: Reading, span: Span, element: HtmlTag, key: string): DrawingBlock {
  const src = attributeOf(element, 'src');
  const href = src?.value.trim();
  const data = src && href ? { ref: refAt(reading, span, src.from, src.to, href, 'drawing') } : {};
  return { object: 'block', type: 'drawing', key, data, isVoid: true };
}
