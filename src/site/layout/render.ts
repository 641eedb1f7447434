import { contentIcon, drawing, fragmentSprite } from '../icons/icon.ts';
import { numberText } from '../locales/index.ts';
import type { AccessView, ContentsView, PageView, SearchView, SiteView, TreeEntry } from '../model.ts';
import { article, breadcrumbs, cover, pager } from './article.ts';
import { document } from './document.ts';
import { searchForm, searchResults } from './finder.ts';
import { brand } from './brand.ts';
import { attributes, markup, type Html, type Part } from './markup.ts';
import { outline } from './outline.ts';
import { drawer } from './tree.ts';
import { homeOf, linkAttributes, reserved, viewOf, type View } from './view.ts';

/** Complete HTML documents. The same arguments give the same bytes, so that they can be cached. */

export function renderPage(site: SiteView, page: PageView): string {
  const view = viewOf(site);
  const fullCover = page.cover && page.layout.cover && page.cover.size === 'full' && cover(page.cover);
  const tree = page.layout.tableOfContents && drawer(view, page.tree);
  return document(view, {
    title: page.title,
    description: page.description || page.head.summary,
    head: page.head,
    extraHead: page.markdownHref && markup`<link rel="alternate" type="text/markdown"${linkAttributes(view, page.markdownHref)}>`,
    content: markup`${fullCover}${columns(tree, outline(view, page), article(view, page))}`,
    width: page.layout.width === 'wide' ? 'wide' : undefined,
  });
}

/** `tree` is that of the space, so that a reader with an old link finds the page. */
export function renderNotFound(site: SiteView, tree: readonly TreeEntry[]): string {
  const view = viewOf(site);
  const { words } = view;
  return document(view, {
    title: words.notFound,
    head: { isIndexed: false },
    content: columns(
      tree.length > 0 && drawer(view, tree),
      false,
      notice(words.notFound, words.notFoundText, [
        markup`<a class="button primary" href="${homeOf(site)}">${words.home}</a>`,
        markup`<a class="button" data-action="search" href="${reserved(site, 'search')}">${drawing('search')}${words.search}</a>`,
      ], '404'),
    ),
  });
}

export function renderSearchPage(site: SiteView, search: SearchView): string {
  const view = viewOf(site);
  const { words } = view;
  const button = markup`<button class="button primary">${words.search}</button>`;
  return document(view, {
    title: search.query === '' ? words.search : `${words.search}: ${search.query}`,
    head: { isIndexed: false },
    content: columns(
      false,
      false,
      markup`<header class="head"><h1>${words.search}</h1></header><div class="finder inline">${searchForm(view, search.query, button)}<div class="found">${searchResults(view, search)}</div></div>`,
    ),
  });
}

/** For the dialog, which asks with `fragment=1`: the results alone. */
export function renderSearchResults(site: SiteView, search: SearchView): string {
  const results = searchResults(viewOf(site), search).text;
  return results + fragmentSprite(site, results).text;
}

export function renderContents(site: SiteView, contents: ContentsView): string {
  const view = viewOf(site);
  const { words, locale } = view;
  const entries = contents.entries.map(
    (entry) =>
      markup`<li><a${linkAttributes(view, entry.href)}>${contentIcon(site, entry.icon)}<span>${entry.title}</span>${entry.count !== undefined && markup`<small>${numberText(entry.count, locale)}</small>`}</a>${entry.description && markup`<p>${entry.description}</p>`}</li>`,
  );
  return document(view, {
    title: `${contents.title} · ${words.contents}`,
    head: { isIndexed: false },
    content: columns(
      false,
      false,
      markup`<article><header class="head">${breadcrumbs(view, contents.breadcrumbs)}<h1>${contents.title}</h1></header><ul class="contents">${entries}</ul><footer class="foot">${pager(view, contents.previous, contents.next)}</footer></article>`,
    ),
  });
}

/** Shows nothing of the content or structure: the visitor may not know them. */
export function renderAccessPage(site: SiteView, access: AccessView): string {
  const view = viewOf(site);
  const { words } = view;
  const [title, text, action] = accessWords(view, access);
  return document(view, {
    title,
    head: { isIndexed: false },
    isClosed: true,
    content: markup`<main id="~content" class="gate"><div class="brand">${brand(view, site.customization.header.logo)}</div>${notice(title, text, action ? [action] : [], access.reason === 'not-published' ? '' : words.signIn)}</main>`,
  });
}

/** After a rating that was sent without the script. */
export function renderFeedbackReceived(site: SiteView, backHref: string): string {
  const view = viewOf(site);
  const { words } = view;
  return document(view, {
    title: words.thanks,
    head: { isIndexed: false },
    content: columns(false, false, notice(words.thanks, '', [markup`<a class="button"${linkAttributes(view, backHref)}>${drawing('left', 'flip')}${words.previous}</a>`])),
  });
}

function accessWords({ words, ...view }: View, access: AccessView): [title: string, text: string, action?: Html] {
  const button = (href: string | undefined, label: string): [Html] | [] =>
    href === undefined ? [] : [markup`<a class="button primary"${linkAttributes({ words, ...view }, href)}>${label}</a>`];
  switch (access.reason) {
    case 'share-link':
      return [words.shareLink, words.shareLinkText];
    case 'sign-in':
      return [words.signInTitle, words.signInText, ...button(access.signInHref, words.signIn)];
    case 'not-published':
      return [words.notPublished, words.notPublishedText, ...button(access.manageHref, words.manage)];
  }
}

const notice = (title: string, text: string, actions: readonly Html[], sign = ''): Html =>
  markup`<div class="notice">${sign === '404' && markup`<p class="sign" aria-hidden="true">404</p>`}<h1>${title}</h1>${text && markup`<p>${text}</p>`}${actions.length > 0 && markup`<p class="buttons">${actions}</p>`}</div>`;

function columns(tree: Part, outlineOfPage: Part, main: Html): Html {
  const absent = [tree ? '' : 'tree', outlineOfPage ? '' : 'outline'].filter(Boolean).join(' ');
  return markup`<div class="shell layout"${attributes({ 'data-without': absent || undefined })}>${Boolean(tree || outlineOfPage) && markup`<div class="bars">${tree}${outlineOfPage}</div>`}<main id="~content" tabindex="-1">${main}</main></div>`;
}
