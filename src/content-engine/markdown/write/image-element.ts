import { stringOf, type Data } from '../../document/nodes.ts';
import type { HrefKind } from '../../document/refs.ts';
import { escapeAttribute } from './escape.ts';

/** `<img>`, inside `<picture>` when there is a dark variant. */
export function pictureText(
  writing: { href(ref: unknown, kind: HrefKind): string },
  data: Data,
  extra = '',
): string {
  const size = (name: string): string => {
    const length = lengthText(data[name]);
    return length === undefined ? '' : ` ${name}="${escapeAttribute(length)}"`;
  };
  const src = escapeAttribute(writing.href(data['ref'], 'image'));
  const alt = escapeAttribute(stringOf(data, 'alt') ?? '');
  const image = `<img src="${src}" alt="${alt}"${size('width')}${size('height')}${extra}>`;
  if (!data['refDark']) return image;
  const dark = escapeAttribute(writing.href(data['refDark'], 'image'));
  return `<picture><source srcset="${dark}" media="(prefers-color-scheme: dark)">${image}</picture>`;
}

/** `375`, `50%`. */
export function lengthText(length: unknown): string | undefined {
  if (typeof length === 'number') return String(length);
  if (typeof length !== 'object' || length === null) return undefined;
  const { unit, value } = length as { unit?: unknown; value?: unknown };
  return `${String(value)}${String(unit)}`;
}
