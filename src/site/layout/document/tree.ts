import { contentIcon, drawing } from '../../icons/icon.ts';
import { fill, numberText } from '../../locales/index.ts';
import type { TreeEntry, TreePage } from '../../model.ts';
import { headerInTree, linksInTree } from './header.ts';
import { attributes, markup, type Html } from '../markup.ts';
import { isExternal, linkAttributes, type View } from '../view.ts';

/**
 * The pages of the space: beside the text, or behind a button on narrow screens. There it is also on pages without a tree,
 * because it has the links of the header.
 */
export function drawer(view: View, tree: readonly TreeEntry[], isTreeShown = true): Html | false {
  const { site, words } = view;
  const hasHeader = site.customization.header.preset !== 'none';
  const links = linksInTree(view);
  if (tree.length === 0 && !links && hasHeader) return false;
  return markup`
    <details class="${isTreeShown ? 'drawer' : 'drawer narrow'}">
      <summary>${drawing('menu')}${words.menu}</summary>
      <nav class="tree" aria-label="${words.pages}">
        ${!hasHeader && headerInTree(view)}
        ${levels(view, tree)}
        ${links}
      </nav>
    </details>`;
}

/** Groups at the top level are headings between lists. */
function levels(view: View, tree: readonly TreeEntry[]): Html[] {
  const parts: Html[] = [];
  let pages: TreeEntry[] = [];
  const flush = (): void => {
    if (pages.length > 0) parts.push(list(view, pages));
    pages = [];
  };
  for (const entry of tree) {
    if (entry.kind !== 'group') pages.push(entry);
    else {
      flush();
      parts.push(
        markup`<h2>${contentIcon(view.site, entry.icon)}${entry.title}</h2>${list(view, entry.children)}`,
      );
    }
  }
  flush();
  return parts;
}

const list = (view: View, entries: readonly TreeEntry[]): Html =>
  markup`<ul>${entries.map((entry) => markup`<li>${item(view, entry)}</li>`)}</ul>`;

function item(view: View, entry: TreeEntry): Html {
  const { words, locale } = view;
  if (entry.kind === 'group')
    return markup`<span class="label">${entry.title}</span>${list(view, entry.children)}`;
  if (entry.kind === 'more') {
    const text = fill(words.allPages, numberText(entry.count, locale));
    return markup`<a class="more"${linkAttributes(view, entry.href)}>${drawing('list')}${text}</a>`;
  }
  return markup`
    <a${linkAttributes(view, entry.href, { 'aria-current': entry.isCurrent && 'page' })}>
      ${contentIcon(view.site, entry.icon)}<span>${entry.title}</span>${sign(entry)}
    </a>
    ${entry.children && entry.children.length > 0 && branch(view, entry, entry.children)}`;
}

const branch = (view: View, { title, isOpen }: TreePage, children: readonly TreeEntry[]): Html => markup`
  <details${attributes({ open: isOpen })}>
    <summary aria-label="${fill(view.words.pagesUnder, title)}">${drawing('next', 'flip')}</summary>
    ${list(view, children)}
  </details>`;

/** A sign at the end of an entry, for its kind of target. */
function sign({ kind, href, method, children, hasChildren }: TreePage): Html | false {
  if (method) {
    const tone = METHOD_TONES.get(method.toUpperCase()) ?? 'neutral';
    return markup`<span class="method" data-tone="${tone}">${method}</span>`;
  }
  if (kind === 'link' && isExternal(href)) return drawing('out', 'flip end');
  return Boolean(hasChildren) && !children && drawing('next', 'flip end');
}

const METHOD_TONES = new Map([
  ['GET', 'info'],
  ['POST', 'success'],
  ['PUT', 'warning'],
  ['PATCH', 'warning'],
  ['DELETE', 'danger'],
]);
