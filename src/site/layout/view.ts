import { LOCALES, wordsOf, type Words } from '../locales/index.ts';
import type { SiteView } from '../model.ts';
import { attributes, markup, type Html, type Part } from './markup.ts';

/** The input of every part of a page. */
export interface View {
  readonly site: SiteView;
  readonly words: Words;
  /** The locale of the interface: words, dates, numbers. */
  readonly locale: string;
}

export function viewOf(site: SiteView): View {
  const wanted = site.customization.internationalization.locale;
  const locale = Object.hasOwn(LOCALES, wanted) ? wanted : 'en';
  return { site, words: wordsOf(locale), locale };
}

/** The address below the base path that all sites reserve. */
export const reserved = (site: SiteView, path: string): string => `${site.basePath}/~octavo/${path}`;

export const homeOf = (site: SiteView): string => `${site.basePath}/`;

const SCHEME = /^[a-z][a-z\d+.-]*:/i;
const SAFE_SCHEME = /^(https?|mailto|tel):/i;

/** Settings contain addresses that people typed. Browsers ignore control characters in them, so they are removed first. */
export function safeHref(href: string): string {
  // oxlint-disable-next-line no-control-regex -- browsers ignore them in URLs
  const text = href.replaceAll(/[\u0000-\u0020]/g, '');
  return SCHEME.test(text) && !SAFE_SCHEME.test(text) ? '#' : text;
}

export const isExternal = (href: string): boolean => /^https?:/i.test(href);

/** `href`, and `target` as the site wants links to other sites to open; then the others. */
export function linkAttributes(
  { site }: View,
  href: string,
  others: Parameters<typeof attributes>[0] = {},
): Html {
  const opensTab = isExternal(href) && site.customization.externalLinks.target === 'blank';
  return attributes({
    href: safeHref(href),
    ...(opensTab && { target: '_blank', rel: 'noopener' }),
    ...others,
  });
}

/** A popover with the button that opens it. */
export function menu(
  id: string,
  button: { readonly classes: string; readonly label?: string; readonly content: Part },
  classes: string,
  entries: Part,
): Html {
  const own = attributes({ class: button.classes, popovertarget: id, 'aria-label': button.label });
  return markup`
    <button${own}>${button.content}</button>
    <div class="${classes}" id="${id}" popover>${entries}</div>`;
}

/** An entry of a popover: an icon, a title and a second line. */
export const menuEntry = (link: Html, icon: Part, title: string, note?: string): Html =>
  markup`<a${link}>${icon}<span>${title}${note && markup`<small>${note}</small>`}</span></a>`;
