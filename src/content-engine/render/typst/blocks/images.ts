import {
  imageCaption,
  type DrawingBlock,
  type ImageBlock,
  type ImagesBlock,
  type Length,
} from '../../../document/index.ts';
import { literal, words } from '../literal.ts';
import { inside, type Context, type Typesetter } from '../context.ts';

/** One image, or several side by side. */
export const images: Typesetter<ImagesBlock> = (context, { data, nodes = [] }) => {
  const all = nodes.map((image) => figure(context, image, data?.withFrame === true));
  if (all.length === 0) return '';
  const columns = Math.min(all.length, 3);
  const content =
    columns === 1
      ? all[0]
      : `#grid(columns: (1fr,) * ${columns}, gutter: 1em, ${all.map((image) => `[${image}]`).join(', ')})`;
  return `#align(${data?.align ?? 'center'})[${content}]`;
};

function figure(context: Context, image: ImageBlock, framed: boolean): string {
  const { ref, alt = '', width, height } = image.data;
  const caption = context.blocks(inside(context), imageCaption(image));
  const path = context.picture(ref);
  if (path === undefined) {
    const shown = alt === '' && caption === '' ? 'Image' : alt;
    return `#figure-of(${shown === '' ? 'none' : `missing[${words(shown)}]`})[${caption}]`;
  }
  const picture = `picture(${literal(path)}, ${literal(alt)}, ${lengthOf(width)}, ${lengthOf(height)}, ${framed})`;
  return `#figure-of(${picture})[${caption}]`;
}

/** Pixels of a screen, or a share of the width. */
function lengthOf(length: Length | undefined): string {
  const { value, unit } = typeof length === 'object' ? length : { value: length ?? 0, unit: 'px' };
  if (!(value >= 1 && value < 10_000)) return 'auto';
  switch (unit) {
    case 'px':
      return `${value * 0.75}pt`;
    case '%':
      return `${Math.min(value, 100)}%`;
    case 'em':
    case 'rem':
      return `${value}em`;
    default:
      return 'auto';
  }
}

export const drawing: Typesetter<DrawingBlock> = (context, { data }) => {
  const path = data?.ref && context.picture(data.ref);
  return path === undefined
    ? ''
    : `#align(center)[#figure-of(picture(${literal(path)}, "", auto, auto, false))[]]`;
};
