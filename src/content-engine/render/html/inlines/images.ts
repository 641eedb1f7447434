import {
  imageCaption,
  type DrawingBlock,
  type ImageBlock,
  type ImagesBlock,
  type Length,
} from '../../../document/index.ts';
import type { Context, Renderer } from '../context.ts';
import { compact } from './inlines.ts';
import { element, type HtmlNode } from '../node.ts';
import { picture } from './picture.ts';

/** One image, or several side by side. */
export const images: Renderer<ImagesBlock> = (context, { data, nodes = [] }) => {
  const classes = [
    data?.withFrame === true ? 'frame' : '',
    data?.fullWidth === true ? 'full' : '',
    data?.align === 'left' ? 'start' : data?.align === 'right' ? 'end' : '',
  ].filter(Boolean);
  const [only, ...more] = nodes;
  if (!only) return undefined;
  if (more.length === 0) return figure(context, only, classes);
  const [frame, ...rest] = classes[0] === 'frame' ? classes : ['', ...classes];
  const inner = frame ? [frame] : [];
  return element(
    'div',
    { class: ['images', ...rest].join(' ') },
    nodes.map((node) => figure(context, node, inner)),
  );
};

function figure(context: Context, block: ImageBlock, classes: readonly string[]): HtmlNode {
  const { ref, refDark, alt = '', width, height } = block.data;
  const pixels = pixelsOf(width);
  const shown =
    picture(context, { ref, refDark, alt, width: pixels, height: pixelsOf(height) }) ??
    element('span', { class: 'missing' }, alt || context.words.missingImage);
  const caption = imageCaption(block);
  const className = [...classes, pixels === undefined ? '' : 'sized'].filter(Boolean).join(' ');
  return element(
    'figure',
    { class: className || undefined, 'data-width': percentOf(width) },
    shown,
    caption.length === 0 ? undefined : element('figcaption', {}, compact(context, caption)),
  );
}

const MAX_PIXELS = 10_000;

function pixelsOf(length: Length | undefined): number | undefined {
  const { value, unit } = typeof length === 'object' ? length : { value: length ?? 0, unit: 'px' };
  return unit === 'px' && value >= 1 && value <= MAX_PIXELS ? Math.round(value) : undefined;
}

/** Rounds to steps of five, because the style sheet has a rule for each. */
export function percentOf(length: Length | undefined): number | undefined {
  if (typeof length !== 'object' || length.unit !== '%' || !(length.value >= 5)) return undefined;
  return Math.min(100, Math.round(length.value / 5) * 5);
}

export const drawing: Renderer<DrawingBlock> = (context, { data }) => {
  const shown = data?.ref && picture(context, { ref: data.ref, alt: '' });
  return shown && element('figure', {}, shown);
};
