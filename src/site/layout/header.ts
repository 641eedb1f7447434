import { contentIcon, drawing } from '../icons/icon.ts';
import { fill } from '../locales/index.ts';
import type { HeaderLink, Section, SectionGroup } from '../model.ts';
import { surfaceOf } from '../style/root-attributes.ts';
import { brand } from './brand.ts';
import { attributes, markup, type Html, type Part } from './markup.ts';
import { isExternal, linkAttributes, menu, menuEntry, reserved, type View } from './view.ts';

export function announcement(view: View): Html {
  const { site, words } = view;
  const { announcement: notice, preview } = site;
  return markup`${preview && markup`<aside class="announcement preview" aria-label="${words.announcement}" data-tone="warning">${fill(words.preview, preview.title)} <a class="link"${linkAttributes(view, preview.leaveHref)}>${words.leavePreview}</a></aside>`}${
    notice &&
    markup`<aside class="announcement" aria-label="${words.announcement}" data-tone="${notice.style}"><span>${notice.message}</span>${notice.link && markup` <a class="link"${linkAttributes(view, notice.link.href)}>${notice.link.title}</a>`}</aside>`
  }`;
}

/** The header and the sections below it. Without a header, its parts are at the top of the tree. */
export function header(view: View): Html {
  const { site, words } = view;
  const { customization } = site;
  const surface = attributes({ 'data-surface': surfaceOf(customization) });
  const links = (areButtons: boolean): Part =>
    site.headerLinks.map(
      (link, index) => (link.style ?? 'link').startsWith('button') === areButtons && headerLink(view, link, index),
    );
  if (customization.header.preset === 'none') return markup`${sections(view, attributes({}))}`;
  return markup`<header class="header"${surface}><div class="shell"><div class="brand">${brand(view, customization.header.logo)}${variantMenu(view)}</div>${searchLink(view)}<nav class="header-links" aria-label="${words.site}">${links(false)}${themeToggle(view)}${links(true)}</nav></div></header>${sections(view, surface)}`;
}

/** Instead of a header, in the drawer of the tree. */
export function headerInTree(view: View): Html {
  const { customization } = view.site;
  return markup`<div class="tree-head"><div class="brand">${brand(view, customization.header.logo)}${variantMenu(view)}${themeToggle(view)}</div>${searchLink(view)}</div>`;
}

export const searchLink = ({ site, words }: View): Html =>
  markup`<a class="search" href="${reserved(site, 'search')}">${drawing('search')}<span>${words.searchPlaceholder}</span><kbd>Ctrl K</kbd></a>`;

export const themeToggle = ({ site, words }: View): Html | false =>
  site.customization.themes.toggeable &&
  markup`<button class="button quiet icon needs-js" data-theme-toggle aria-label="${words.theme}">${drawing('theme')}</button>`;

export function variantMenu(view: View): Html | false {
  const { site, words } = view;
  const current = site.variants.find(({ isCurrent }) => isCurrent);
  if (site.variants.length < 2 || !current) return false;
  const entries = site.variants.map((variant) =>
    menuEntry(
      markup`${linkAttributes(view, variant.href)}${attributes({ 'aria-current': variant.isCurrent && 'true', hreflang: variant.language, lang: variant.language })}`,
      variant.isCurrent ? drawing('check') : (contentIcon(site, variant.icon) ?? drawing('layers')),
      variant.title,
      variant.description,
    ),
  );
  const content = markup`<span class="hidden">${words.variant}: </span><span>${current.title}</span>${drawing('down')}`;
  return menu('~variants', { classes: 'variant', content }, '', entries);
}

const LINK_CLASSES = {
  link: 'header-link',
  'button-primary': 'button primary',
  'button-secondary': 'button',
} as const;

function headerLink(view: View, link: HeaderLink, index: number): Html {
  const style = LINK_CLASSES[link.style ?? 'link'];
  if (link.links.length > 0) {
    const entries = link.links.map((entry) =>
      menuEntry(linkAttributes(view, entry.href), isExternal(entry.href) ? drawing('out', 'flip') : drawing('page'), entry.title),
    );
    return menu(`~links-${index}`, { classes: style, content: markup`${link.title}${drawing('down')}` }, ' end', entries);
  }
  return markup`<a class="${style}"${linkAttributes(view, link.href ?? '#')}>${link.title}</a>`;
}

/** All links of the header as a list: on narrow screens it has no room for them, and the menu shows them. */
export function linksInTree(view: View): Html | false {
  const links = view.site.headerLinks.flatMap((link) => [
    ...(link.href === undefined ? [] : [{ title: link.title, href: link.href }]),
    ...link.links,
  ]);
  if (links.length === 0) return false;
  return markup`<div class="narrow-only"><h2>${view.words.links}</h2><ul>${links.map((link) => markup`<li><a${linkAttributes(view, link.href)}>${link.title}${isExternal(link.href) && drawing('out', 'flip end')}</a></li>`)}</ul></div>`;
}

function sections(view: View, surface: Html): Html | false {
  const { site, words } = view;
  if (site.sections.length < 2 && site.sections[0]?.kind !== 'group') return false;
  const entries = site.sections.map((entry, index) => markup`<li>${entry.kind === 'group' ? sectionGroup(view, entry, index) : sectionLink(view, entry)}</li>`);
  return markup`<nav class="sections" aria-label="${words.sections}"${surface}><ul class="shell">${entries}</ul></nav>`;
}

const sectionLink = (view: View, section: Section): Html =>
  markup`<a${linkAttributes(view, section.href)}${attributes({ 'aria-current': section.isCurrent && 'true' })}>${contentIcon(view.site, section.icon)}${section.title}</a>`;

function sectionGroup(view: View, group: SectionGroup, index: number): Html {
  const isCurrent = hasCurrent(group);
  const content = markup`${contentIcon(view.site, group.icon)}${group.title}${drawing('down')}`;
  return menu(`~group-${index}`, { classes: isCurrent ? 'group on' : 'group', content }, '', groupEntries(view, group));
}

/** Groups in groups are headings of the same menu. */
function groupEntries(view: View, group: SectionGroup): Html {
  const entries = group.children.map((entry) =>
    entry.kind === 'group'
      ? markup`<p class="label">${entry.title}</p>${groupEntries(view, entry)}`
      : menuEntry(
          markup`${linkAttributes(view, entry.href)}${attributes({ 'aria-current': entry.isCurrent && 'true' })}`,
          contentIcon(view.site, entry.icon) ?? drawing('book'),
          entry.title,
          entry.description,
        ),
  );
  return markup`${entries}`;
}

const hasCurrent = (group: SectionGroup): boolean =>
  group.children.some((entry) => (entry.kind === 'group' ? hasCurrent(entry) : entry.isCurrent));
