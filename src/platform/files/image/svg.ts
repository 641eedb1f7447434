import type { Dimensions } from './dimensions.ts';
import { findRoot } from '../type/markup.ts';
import { decodeText } from '../type/text.ts';

const LONGEST_TAG = 16 * 1024;
const PIXELS: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 9.6 / 2.54,
};

/** Width and height as given; what is missing or a percentage follows from the view box. */
export function svgDimensions(bytes: Uint8Array): Dimensions | undefined {
  const text = decodeText(bytes)?.head ?? '';
  const root = findRoot(text);
  if (!root || !/^(.*:)?svg$/i.test(root.name)) return undefined;
  const attributes = attributesOf(text.slice(root.start, root.start + LONGEST_TAG));
  const box = (attributes.get('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/, 4)
    .map(Number);
  const [boxWidth, boxHeight] = box.length === 4 && box.every(Number.isFinite) ? box.slice(2) : [];
  const ratio = boxWidth && boxHeight && boxWidth > 0 && boxHeight > 0 ? boxWidth / boxHeight : undefined;
  const [width, height] = [lengthOf(attributes.get('width')), lengthOf(attributes.get('height'))];
  if (width !== undefined && height !== undefined) return rounded(width, height);
  if (ratio === undefined) return undefined;
  if (width !== undefined) return rounded(width, width / ratio);
  if (height !== undefined) return rounded(height * ratio, height);
  return rounded(boxWidth ?? 0, boxHeight ?? 0);
}

const rounded = (width: number, height: number) => ({
  width: Math.max(1, Math.round(width)),
  height: Math.max(1, Math.round(height)),
});

function attributesOf(tag: string): Map<string, string> {
  const attributes = new Map<string, string>();
  const part = /\s([\w:.-]{1,64})=(?:"([^"]*)"|'([^']*)')|>/g;
  for (let found = part.exec(tag); found?.[1] !== undefined; found = part.exec(tag)) {
    attributes.set(found[1], found[2] ?? found[3] ?? '');
  }
  return attributes;
}

function lengthOf(text: string | undefined): number | undefined {
  const [, number, unit = ''] =
    /^\+?(\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})\s*([a-z]{0,2})$/i.exec((text ?? '').trim()) ?? [];
  const scale = Object.hasOwn(PIXELS, unit.toLowerCase()) ? PIXELS[unit.toLowerCase()] : undefined;
  return number === undefined || scale === undefined || Number(number) === 0
    ? undefined
    : Number(number) * scale;
}
