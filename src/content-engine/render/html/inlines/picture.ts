import type { ImageRef } from '../../../document/index.ts';
import type { Context } from '../context.ts';
import { element, type HtmlNode } from '../node.ts';
import type { HtmlFile } from '../options.ts';
import { safeUrl } from '../serialise.ts';

export interface Picture {
  readonly ref: ImageRef;
  readonly refDark?: ImageRef | undefined;
  readonly alt: string;
  readonly title?: string | undefined;
  readonly className?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** An image, or two of which the style sheet shows one, by the theme. Undefined where the file is missing. */
export function picture(context: Context, { ref, refDark, ...shown }: Picture): HtmlNode {
  const light = fileOf(context, ref);
  const dark = refDark && fileOf(context, refDark);
  if (!light || !dark) {
    const only = light ?? dark;
    return only && image(context, only, shown, '');
  }
  return [image(context, light, shown, 'light'), image(context, dark, shown, 'dark')];
}

export function fileOf({ options }: Context, ref: ImageRef): HtmlFile | undefined {
  const file = options.fileOf ? options.fileOf(ref) : ref.kind === 'url' ? { src: ref.url } : undefined;
  return file && file.src !== '' && safeUrl(file.src) !== undefined ? file : undefined;
}

/** The first image may be what a reader sees first: only those after it are loaded when they come into view. */
function image(
  { page }: Context,
  file: HtmlFile,
  { alt, title, className = '', width, height }: Omit<Picture, 'ref' | 'refDark'>,
  theme: string,
): HtmlNode {
  const isFirst = page.count('~image') === 1;
  const ratio = file.width && file.height ? file.height / file.width : undefined;
  const ownHeight = height ?? (width !== undefined && ratio ? Math.round(width * ratio) : file.height);
  return element('img', {
    class: [className, theme].filter(Boolean).join(' ') || undefined,
    src: file.src,
    alt,
    title,
    width: width ?? file.width,
    height: ownHeight,
    loading: isFirst && theme !== 'dark' ? undefined : 'lazy',
    decoding: 'async',
  });
}
