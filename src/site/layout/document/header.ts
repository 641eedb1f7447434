import { contentIcon, drawing } from '../../icons/icon.ts';
import { fill } from '../../locales/index.ts';
import type { HeaderLink, Link, MarkedText, MessagePart, Section, SectionGroup } from '../../model.ts';
import { surfaceOf } from '../../style/root-attributes.ts';
import { brand } from '../brand.ts';
import { attributes, markup, rendered, type Html, type Part } from '../markup.ts';
import { isExternal, linkAttributes, menu, menuEntry, reserved, type View } from '../view.ts';

export function announcement(view: View): Html {
  const { site, words } = view;
  const { announcement: notice, preview } = site;
  const bar = (tone: string, text: Part, link?: Link): Html => markup`
    <aside class="announcement" aria-label="${words.announcement}" data-tone="${tone}">
      <span>${text}</span>
      ${link && markup` <a class="link"${linkAttributes(view, link.href)}>${link.title}</a>`}
    </aside>`;
  const leave = preview && { title: words.leavePreview, href: preview.leaveHref };
  return markup`
    ${preview && bar('warning', fill(words.preview, preview.title), leave)}
    ${notice && bar(notice.style, message(view, notice.message), notice.link)}`;
}

const ELEMENTS = { bold: 'b', italic: 'i', strikethrough: 's', code: 'code' } as const;

const marked = ({ text, marks }: MarkedText): Part =>
  marks.reduce<Part>((inner, mark) => {
    const name = rendered(ELEMENTS[mark]);
    return markup`<${name}>${inner}</${name}>`;
  }, text);

const message = (view: View, parts: readonly MessagePart[]): Part =>
  parts.map((part) =>
    'href' in part
      ? markup`<a class="link"${linkAttributes(view, part.href)}>${part.parts.map(marked)}</a>`
      : marked(part),
  );

/** The header and the sections below it. Without a header, its parts are at the top of the tree. */
export function header(view: View): Html {
  const { site, words } = view;
  const { customization } = site;
  if (customization.header.preset === 'none') return markup`${sections(view, attributes({}))}`;
  const surface = attributes({ 'data-surface': surfaceOf(customization) });
  const isButton = ({ style }: HeaderLink): boolean => style !== undefined && style !== 'link';
  const links = (areButtons: boolean): Part =>
    site.headerLinks.map((link, index) => isButton(link) === areButtons && headerLink(view, link, index));
  return markup`
    <header class="header"${surface}>
      <div class="shell">
        <div class="brand">${brand(view, customization.header.logo)}${variantMenu(view)}</div>
        ${searchLink(view)}
        <nav class="header-links" aria-label="${words.site}">${links(false)}${themeToggle(view)}${links(true)}</nav>
      </div>
    </header>
    ${sections(view, surface)}`;
}

/** Instead of a header, in the drawer of the tree. */
export const headerInTree = (view: View): Html => markup`
  <div class="tree-head">
    <div class="brand">${brand(view, view.site.customization.header.logo)}${variantMenu(view)}${themeToggle(view)}</div>
    ${searchLink(view)}
  </div>`;

const searchLink = ({ site, words }: View): Html => markup`
  <a class="search" href="${reserved(site, 'search')}">
    ${drawing('search')}
    <span>${words.searchPlaceholder}</span>
    <kbd class="needs-js">Ctrl K</kbd>
  </a>`;

const themeToggle = ({ site, words }: View): Html | false =>
  site.customization.themes.toggeable &&
  markup`
    <button class="button quiet icon needs-js" data-theme-toggle aria-label="${words.theme}">
      ${drawing('theme')}
    </button>`;

function variantMenu(view: View): Html | false {
  const { site, words } = view;
  const current = site.variants.find(({ isCurrent }) => isCurrent);
  if (site.variants.length < 2 || !current) return false;
  const entries = site.variants.map(({ title, description, href, icon, language, isCurrent }) =>
    menuEntry(
      linkAttributes(view, href, { 'aria-current': isCurrent && 'true', hreflang: language, lang: language }),
      isCurrent ? drawing('check') : (contentIcon(site, icon) ?? drawing('layers')),
      title,
      description,
    ),
  );
  const content = markup`
    <span class="hidden">${words.variant}: </span><span>${current.title}</span>${drawing('down')}`;
  return menu('~variants', { classes: 'variant', content }, 'pop', entries);
}

const LINK_CLASSES = {
  link: 'header-link',
  'button-primary': 'button primary',
  'button-secondary': 'button',
} as const;

function headerLink(view: View, link: HeaderLink, index: number): Html {
  const classes = LINK_CLASSES[link.style ?? 'link'];
  if (link.links.length === 0)
    return markup`<a class="${classes}"${linkAttributes(view, link.href ?? '#')}>${link.title}</a>`;
  const entries = link.links.map(({ title, href }) =>
    menuEntry(linkAttributes(view, href), isExternal(href) ? drawing('out', 'flip') : drawing('page'), title),
  );
  const content = markup`${link.title}${drawing('down')}`;
  return menu(`~links-${index}`, { classes, content }, 'pop end', entries);
}

/** All links of the header as a list: on narrow screens it has no room for them, and the menu shows them. */
export function linksInTree(view: View): Html | false {
  const links = view.site.headerLinks.flatMap((link) => [
    ...(link.href === undefined ? [] : [{ title: link.title, href: link.href }]),
    ...link.links,
  ]);
  if (links.length === 0) return false;
  const item = ({ title, href }: Link): Html =>
    markup`<li><a${linkAttributes(view, href)}>${title}${isExternal(href) && drawing('out', 'flip end')}</a></li>`;
  return markup`
    <div class="narrow-only">
      <h2>${view.words.links}</h2>
      <ul>${links.map(item)}</ul>
    </div>`;
}

function sections(view: View, surface: Html): Html | false {
  const { site, words } = view;
  if (site.sections.length < 2 && site.sections[0]?.kind !== 'group') return false;
  const entries = site.sections.map((entry, index) =>
    entry.kind === 'group' ? sectionGroup(view, entry, index) : sectionLink(view, entry),
  );
  return markup`
    <nav class="sections" aria-label="${words.sections}"${surface}>
      <ul class="shell">${entries.map((entry) => markup`<li>${entry}</li>`)}</ul>
    </nav>`;
}

function sectionLink(view: View, { title, href, icon, isCurrent }: Section): Html {
  const link = linkAttributes(view, href, { 'aria-current': isCurrent && 'true' });
  return markup`<a${link}>${contentIcon(view.site, icon)}${title}</a>`;
}

function sectionGroup(view: View, group: SectionGroup, index: number): Html {
  const classes = hasCurrent(group) ? 'group on' : 'group';
  const content = markup`${contentIcon(view.site, group.icon)}${group.title}${drawing('down')}`;
  return menu(`~group-${index}`, { classes, content }, 'pop', groupEntries(view, group));
}

/** Groups in groups are headings of the same menu. */
const groupEntries = (view: View, group: SectionGroup): Html[] =>
  group.children.map((entry) =>
    entry.kind === 'group'
      ? markup`<p class="label">${entry.title}</p>${groupEntries(view, entry)}`
      : menuEntry(
          linkAttributes(view, entry.href, { 'aria-current': entry.isCurrent && 'true' }),
          contentIcon(view.site, entry.icon) ?? drawing('book'),
          entry.title,
          entry.description,
        ),
  );

const hasCurrent = (group: SectionGroup): boolean =>
  group.children.some((entry) => (entry.kind === 'group' ? hasCurrent(entry) : entry.isCurrent));
