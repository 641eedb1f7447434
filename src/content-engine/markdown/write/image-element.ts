import type { ContentRef, HrefKind, ImageRef, Length } from '../../document/index.ts';
import { escapeAttribute } from './escape.ts';

interface ShownImage {
  readonly ref: ImageRef;
  readonly refDark?: ImageRef;
  readonly alt?: string;
  readonly width?: Length;
  readonly height?: Length;
}

/** `<img>`, inside `<picture>` when there is a dark variant. */
export function imageElement(
  writing: { href(ref: ContentRef, kind: HrefKind): string },
  data: ShownImage,
  extra = '',
): string {
  const size = (name: string, length: Length | undefined): string => {
    const text = lengthText(length);
    return text === undefined ? '' : ` ${name}="${escapeAttribute(text)}"`;
  };
  const src = escapeAttribute(writing.href(data.ref, 'image'));
  const alt = escapeAttribute(data.alt ?? '');
  const sizes = size('width', data.width) + size('height', data.height);
  const image = `<img src="${src}" alt="${alt}"${sizes}${extra}>`;
  if (!data.refDark) return image;
  const dark = escapeAttribute(writing.href(data.refDark, 'image'));
  return `<picture><source srcset="${dark}" media="(prefers-color-scheme: dark)">${image}</picture>`;
}

/** `375`, `50%`. */
export function lengthText(length: Length | undefined): string | undefined {
  return typeof length === 'object' ? `${length.value}${length.unit}` : length?.toString();
}
