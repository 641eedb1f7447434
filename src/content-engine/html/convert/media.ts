import type {
  BlockNode,
  ImageBlock,
  ImageData,
  ImageInline,
  ImageRef,
  InlineContent,
} from '../../document/index.ts';
import {
  attribute,
  classesOf,
  elementsIn,
  find,
  findAll,
  isElement,
  isText,
  textOf,
  type ChildNode,
  type Element,
} from '../dom.ts';
import { MAX_IMAGES } from '../limits.ts';
import type { BlockConverter, Conversion } from './context.ts';
import { paragraph } from './nodes.ts';

/** Images: as blocks with captions where they are alone, else in the text. */

/** Smaller ones hold the place of an image that a script loads. */
const MAX_PLACEHOLDER = 200;

/** An image in text. A string: an image of a character. Undefined: nothing to show. */
export function inlineImage(element: Element, conversion: Conversion): ImageInline | string | undefined {
  const image = imageIn(element);
  if (!image) return undefined;
  const alt = altOf(image);
  if (classesOf(image).some((name) => /^(?:emoji|emoticon|twemoji|gemoji)$/.test(name)))
    return attribute(image, 'data-emoji-fallback') ?? EMOTICONS.get(alt) ?? alt;
  const data = imageData(element, image, conversion);
  if (!data) return alt;
  const { ref, refDark } = data;
  return {
    object: 'inline',
    type: 'inline-image',
    data: { ref, ...(refDark ? { refDark } : {}), ...(alt === '' ? {} : { alt }) },
    isVoid: true,
  };
}

/** The emoticons of Confluence: ticks and crosses are common in tables. */
const EMOTICONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '(smile)': '🙂',
    '(sad)': '🙁',
    '(wink)': '😉',
    '(laugh)': '😀',
    '(cheeky)': '😛',
    '(tick)': '✅',
    '(error)': '❌',
    '(warning)': '⚠️',
    '(info)': 'ℹ️',
    '(question)': '❓',
    '(plus)': '➕',
    '(minus)': '➖',
    '(thumbs up)': '👍',
    '(thumbs down)': '👎',
    '(light on)': '💡',
    '(star)': '⭐',
    '(blue star)': '⭐',
  }),
);

const imageIn = (element: Element): Element | undefined =>
  element.tagName === 'img' ? element : find(element, ({ tagName }) => tagName === 'img');

const altOf = (image: Element): string => (attribute(image, 'alt') ?? '').replace(/\s+/g, ' ').trim();

function imageData(element: Element, image: Element, conversion: Conversion): ImageData | undefined {
  const ref = refOf(sourceOf(image), conversion);
  if (!ref) return undefined;
  const dark = elementsIn(element).find(
    (one) => one.tagName === 'source' && /dark/.test(attribute(one, 'media') ?? ''),
  );
  const refDark = dark && refOf(largest(attribute(dark, 'srcset')), conversion);
  const alt = altOf(image);
  const width = widthOf(image);
  return {
    ref,
    ...(refDark ? { refDark } : {}),
    ...(width === undefined ? {} : { width }),
    ...(alt === '' ? {} : { alt }),
  };
}

/** The address of the image, and not of a placeholder. */
function sourceOf(image: Element): string | undefined {
  const lazy = ['data-src', 'data-original', 'data-lazy-src', 'data-canonical-src']
    .map((name) => attribute(image, name))
    .find((value) => value !== undefined && value !== '');
  const src = attribute(image, 'src');
  const isPlaceholder =
    src === undefined || src === '' || (src.startsWith('data:') && src.length <= MAX_PLACEHOLDER);
  if (!isPlaceholder && lazy === undefined) return largest(attribute(image, 'srcset')) ?? src;
  return lazy ?? largest(attribute(image, 'srcset')) ?? largest(attribute(image, 'data-srcset'));
}

/** The largest image of a `srcset`. */
function largest(srcset: string | undefined): string | undefined {
  let best: { readonly url: string; readonly size: number } | undefined;
  for (const candidate of (srcset ?? '').split(/,\s+/)) {
    const [url = '', descriptor = '1x'] = candidate.trim().split(/\s+/);
    const size = Number.parseFloat(descriptor) || 0;
    if (url !== '' && (!best || size > best.size)) best = { url, size };
  }
  return best?.url;
}

function refOf(src: string | undefined, { addresses, images }: Conversion): ImageRef | undefined {
  const text = src?.trim() ?? '';
  if (text === '') return undefined;
  const url = /^data:image\//i.test(text) ? text : addresses.resolve(text);
  if (url === undefined || !/^(?:https?|data):/i.test(url)) return undefined;
  if (images.size < MAX_IMAGES) images.add(url);
  return { kind: 'url', url };
}

/** Generators write both dimensions of every file; an author who wants another size writes one. */
function widthOf(image: Element): number | undefined {
  const width = attribute(image, 'width') ?? '';
  if (attribute(image, 'height') !== undefined || !/^\d{1,4}(?:px)?$/.test(width)) return undefined;
  return Number.parseInt(width, 10) || undefined;
}

function imageBlock(
  element: Element,
  caption: InlineContent[],
  conversion: Conversion,
): ImageBlock | undefined {
  const image = imageIn(element);
  const data = image && imageData(element, image, conversion);
  if (!data) return undefined;
  const fragments: ImageBlock['fragments'] =
    caption.length === 0 ? [] : [{ object: 'fragment', fragment: 'caption', nodes: [paragraph(caption)] }];
  return { object: 'block', type: 'image', data, fragments, isVoid: true };
}

const imagesOf = (nodes: ImageBlock[]): BlockNode[] =>
  nodes.length === 0 ? [] : [{ object: 'block', type: 'images', data: {}, nodes }];

/** The image of a paragraph that holds nothing else, perhaps inside a link to the same image. */
export function loneImage(nodes: readonly ChildNode[], conversion: Conversion): BlockNode[] | undefined {
  const shown = nodes.filter((node) => !(isText(node) && node.value.trim() === ''));
  const [only, ...more] = shown;
  if (!only || more.length > 0 || !isElement(only)) return undefined;
  if (only.tagName === 'img' || only.tagName === 'picture') {
    if (typeof inlineImage(only, conversion) === 'string') return undefined;
    const block = imageBlock(only, [], conversion);
    return block && imagesOf([block]);
  }
  const isWrapper = /^(?:a|span|div|p|center)$/.test(only.tagName);
  return isWrapper && textOf(only) === '' && conversion.measures(only).image === 1
    ? loneImage(only.childNodes, conversion)
    : undefined;
}

/** Images with a caption. A figure may also hold a table, code or a quotation. */
export const convertFigure: BlockConverter = (element, conversion) => {
  const isFigure =
    element.tagName === 'figure' ||
    /(?:^|\s)(?:thumb|wp-caption)(?:\s|$)/.test(attribute(element, 'class') ?? '');
  if (!isFigure) return undefined;
  const isCaption = (one: Element): boolean =>
    one.tagName === 'figcaption' ||
    classesOf(one).some((name) => /^(?:thumbcaption|wp-caption-text)$/.test(name));
  const caption = find(element, isCaption);
  const own = caption ? conversion.inlines(caption.childNodes) : [];
  const measure = conversion.measures(element);
  const isOnlyImages = measure.pre === 0 && measure.table === 0 && measure.image > 0;
  const rest = textOf(element).length - (caption ? textOf(caption).length : 0);
  if (isOnlyImages && rest <= 1) {
    const images = findAll(element, ({ tagName }) => tagName === 'img' || tagName === 'picture').filter(
      (one) => one.tagName === 'picture' || !isInPicture(one),
    );
    const last = images.at(-1);
    const nodes = images.flatMap((image) => imageBlock(image, image === last ? own : [], conversion) ?? []);
    if (nodes.length > 0) return imagesOf(nodes);
  }
  const content = conversion.blocks(element.childNodes.filter((node) => node !== caption));
  return own.length === 0 || caption?.parentNode !== element ? content : [...content, paragraph(own)];
};

const isInPicture = ({ parentNode }: Element): boolean => parentNode?.nodeName === 'picture';

/** A paragraph after an image may be its caption. False: it is another block. */
export function addCaption(before: BlockNode | undefined, element: Element, conversion: Conversion): boolean {
  if (element.tagName !== 'p' || !classesOf(element).includes('caption')) return false;
  const image = before?.type === 'images' ? before.nodes?.at(-1) : undefined;
  if (!image || (image.fragments ?? []).length > 0) return false;
  const nodes = conversion.inlines(element.childNodes);
  if (nodes.length === 0) return false;
  image.fragments = [{ object: 'fragment', fragment: 'caption', nodes: [paragraph(nodes)] }];
  return true;
}
