import { emojiText } from '../../content-engine/document/index.ts';
import type { ThemedValue } from '../customization.ts';
import { attributes, markup, rendered, type Html } from './markup.ts';
import { homeOf, safeHref, type View } from './view.ts';

/** Eight leaves: what a sheet becomes when it is folded to an octavo. */
const LEAVES = [
  'M22.5 16.4L16.4 22.5L14 16.8L16.8 14zM7.6 22.5L1.5 16.4L7.2 14L10 16.8zM1.5 7.6L7.6 1.5L10 7.2L7.2 10zM16.4 1.5L22.5 7.6L16.8 10L14 7.2z',
  'M16.4 22.5L7.6 22.5L10 16.8L14 16.8zM1.5 16.4L1.5 7.6L7.2 10L7.2 14zM7.6 1.5L16.4 1.5L14 7.2L10 7.2zM22.5 7.6L22.5 16.4L16.8 14L16.8 10z',
] as const;

const MARK_PATHS = `<path d="${LEAVES[0]}"/><path opacity=".5" d="${LEAVES[1]}"/>`;
const MARK = rendered(`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true">${MARK_PATHS}</svg>`);

/** The logo of the owner, or the icon and title of the site; a link to its first page. */
export function brand({ site }: View, logo: ThemedValue | undefined): Html {
  const { favicon } = site.customization;
  if (logo) {
    return markup`<a href="${homeOf(site)}">${themedImage(logo, { class: 'logo', alt: site.title, height: 28 })}
      </a>`;
  }
  let sign = MARK;
  if (favicon.icon) {
    sign = themedImage(favicon.icon, { class: 'mark', alt: '', width: 22, height: 22 });
  } else if (favicon.emoji) {
    sign = markup`<span class="emoji" aria-hidden="true">${emojiText(favicon.emoji)}</span>`;
  }
  return markup`<a href="${homeOf(site)}">${sign}<span>${site.title}</span></a>`;
}

interface ImageAttributes {
  readonly class: string;
  readonly alt: string;
  readonly width?: number;
  readonly height?: number;
}

/**
 * One image for each theme. The style sheet shows one, because a reader may choose a theme that is not that of the system;
 * lazy images that are not shown are not loaded.
 */
export function themedImage(
  image: { light: string; dark?: string | undefined },
  given: ImageAttributes,
): Html {
  const one = (src: string, theme: string): Html => {
    const own = { class: `${given.class}${theme}`, src: safeHref(src), decoding: 'async' };
    return markup`<img${attributes({ ...given, ...own, loading: theme ? 'lazy' : undefined })}>`;
  };
  if (!image.dark || image.dark === image.light) return one(image.light, '');
  return markup`${one(image.light, ' light')}${one(image.dark, ' dark')}`;
}

/** The icon of the browser tab. */
export function faviconLinks({ site }: View): Html {
  const { favicon, styling } = site.customization;
  if (favicon.icon) {
    const { light, dark } = favicon.icon;
    if (light === dark) return markup`<link rel="icon" href="${safeHref(light)}">`;
    return markup`
      <link rel="icon" href="${safeHref(light)}" media="(prefers-color-scheme:light)">
      <link rel="icon" href="${safeHref(dark)}" media="(prefers-color-scheme:dark)">`;
  }
  const drawing = favicon.emoji
    ? `<text x="12" y="20" font-size="20" text-anchor="middle">${encodeURIComponent(emojiText(favicon.emoji).toWellFormed())}</text>`
    : `<g fill="${encodeURIComponent(styling.primaryColor.light)}">${MARK_PATHS}</g>`;
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'>${drawing}</svg>`;
  const data = svg.replaceAll('"', "'").replaceAll('<', '%3C').replaceAll('>', '%3E').replaceAll('#', '%23');
  return markup`<link rel="icon" href="data:image/svg+xml,${data}">`;
}
