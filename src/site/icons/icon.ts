import { emojiText } from '../../content-engine/document/index.ts';
import { symbolsIn } from '../../content-engine/render/html/index.ts';
import type { AssetCatalog } from '../assets/catalog.ts';
import { markup, rendered, type Html } from '../layout/markup.ts';
import type { Icon, SiteView } from '../model.ts';
import { DRAWINGS } from './drawings.ts';

/** A drawing of the interface. */
export const drawing = (name: string, classes = ''): Html =>
  markup`<svg class="i${classes && ` ${classes}`}" aria-hidden="true"><use href="#i-${name}"/></svg>`;

/** The icon of a page, section or tag: decorative, because the title follows it. */
export function contentIcon(site: SiteView, icon: Icon | undefined): Html | undefined {
  if (!icon) return undefined;
  if ('emoji' in icon)
    return markup`<span class="i emoji" aria-hidden="true">${emojiText(icon.emoji)}</span>`;
  return isIcon(site, icon.name)
    ? markup`<svg class="i" aria-hidden="true"><use href="#n-${icon.name}"/></svg>`
    : undefined;
}

const NAME = /^[a-z\d][a-z\d-]{0,49}$/;

const isIcon = ({ assets, customization }: SiteView, name: string): boolean =>
  NAME.test(name) && assets.icon(name, customization.styling.icons) !== undefined;

/** The address of an icon of either kind for the renderer of documents: drawings have precedence. */
export const iconHref = (site: SiteView, name: string): string | undefined => {
  if (Object.hasOwn(DRAWINGS, name)) return `#i-${name}`;
  return isIcon(site, name) ? `#n-${name}` : undefined;
};

/** Results of the search dialog refer to these; its HTML arrives later. */
const ALWAYS = ['i-page', 'i-enter'];

/** The symbols that the page refers to, once each: a complete sprite would be larger than most pages. */
export const pageSprite = (site: SiteView, page: string, more: readonly string[] = []): Html =>
  sprite(site, [...symbolsIn(page), ...more, ...ALWAYS]);

/** The icons of HTML that is added to a page, which the page may lack. */
export const fragmentSprite = (site: SiteView, fragment: string): Html =>
  sprite(
    site,
    symbolsIn(fragment).filter((id) => id.startsWith('n-')),
  );

function sprite({ assets, customization }: SiteView, ids: readonly string[]): Html {
  const symbols = [...new Set(ids)].toSorted().map((id) => {
    const name = id.slice(2);
    if (id.startsWith('i-'))
      return Object.hasOwn(DRAWINGS, name) ? symbol(id, '0 0 20 20', DRAWINGS[name] as string) : '';
    return namedSymbol(id, assets, name, customization.styling.icons);
  });
  return rendered(
    symbols.length === 0 ? '' : `<svg class="sprite" aria-hidden="true">${symbols.join('')}</svg>`,
  );
}

function namedSymbol(
  id: string,
  assets: AssetCatalog,
  name: string,
  style: Parameters<AssetCatalog['icon']>[1],
): string {
  const icon = assets.icon(name, style);
  if (!icon) return '';
  return symbol(id, `0 0 ${icon.width} ${icon.height}`, `<path class="named" d="${icon.path}"/>`);
}

const symbol = (id: string, viewBox: string, content: string): string =>
  `<symbol id="${id}" viewBox="${viewBox}">${content}</symbol>`;
