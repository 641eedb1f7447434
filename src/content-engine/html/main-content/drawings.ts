import { attribute, find, parentOf, type Element } from '../dom.ts';

/** Icons are not larger. */
const MAX_ICON = 64;
/** Icons without a size, and parts of formulas, are recognised by the classes around them. */
const NO_DRAWING = /icon|emoji|katex|mathjax|mjx/i;
const MAX_LEVELS = 8;

/** Whether an `<svg>` is a picture of the page, and not an icon or a part of a formula. */
export function isDrawing(svg: Element): boolean {
  if (svg.tagName !== 'svg' || attribute(svg, 'aria-hidden') === 'true') return false;
  let around: Element | undefined = svg;
  for (let level = 0; around && level < MAX_LEVELS; level++) {
    if (NO_DRAWING.test(attribute(around, 'class') ?? '')) return false;
    if (/^(?:mjx-container|math|button)$/.test(around.tagName)) return false;
    around = parentOf(around);
  }
  return widthOf(svg) > MAX_ICON || find(svg, ({ tagName }) => tagName === 'text') !== undefined;
}

/** The width as written, or by the coordinates. A relative width is that of a drawing. */
function widthOf(svg: Element): number {
  const written = attribute(svg, 'width');
  if (written !== undefined)
    return /%/.test(written) ? Infinity : Number.parseFloat(written) * pixels(written);
  const [, , width] = (attribute(svg, 'viewbox') ?? attribute(svg, 'viewBox') ?? '').trim().split(/[\s,]+/);
  return Number(width) || 0;
}

const pixels = (length: string): number => (/r?em/.test(length) ? 16 : 1);
