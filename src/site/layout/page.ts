import { contentIcon } from '../icons/icon.ts';
import { numberText } from '../locales/index.ts';
import type { ContentsView, PageView, SiteView } from '../model.ts';
import { article, breadcrumbs, cover, pager } from './article.ts';
import { columns, document, oneColumn } from './document/document.ts';
import { markup, type Html } from './markup.ts';
import { outline } from './outline.ts';
import { drawer } from './document/tree.ts';
import { linkAttributes, viewOf, type View } from './view.ts';

/** Deterministic, so that its results can be cached. */
export function renderPage(site: SiteView, page: PageView): string {
  const view = viewOf(site);
  const { layout, markdownHref } = page;
  const fullCover = page.cover && layout.cover && page.cover.size === 'full' && cover(page.cover);
  const main = columns({
    drawer: drawer(view, page.tree, layout.tableOfContents),
    hasTree: layout.tableOfContents,
    outline: outline(view, page),
    main: article(view, page),
  });
  return document(view, {
    title: page.title,
    description: page.description || page.head.summary,
    head: page.head,
    extraHead:
      markdownHref &&
      markup`<link rel="alternate" type="text/markdown"${linkAttributes(view, markdownHref)}>`,
    content: markup`${fullCover}${main}`,
    width: layout.width === 'wide' ? 'wide' : undefined,
  });
}

/** All pages of a level that the tree cuts. */
export function renderContents(site: SiteView, contents: ContentsView): string {
  const view = viewOf(site);
  return document(view, {
    title: `${contents.title} · ${view.words.contents}`,
    head: { isIndexed: false },
    content: oneColumn(
      view,
      markup`
        <article>
          <header class="head">
            ${breadcrumbs(view, contents.breadcrumbs)}
            <h1>${contents.title}</h1>
          </header>
          <ul class="contents">${contents.entries.map((entry) => contentsItem(view, entry))}</ul>
          <footer class="foot">${pager(view, contents.previous, contents.next)}</footer>
        </article>`,
    ),
  });
}

function contentsItem(view: View, entry: ContentsView['entries'][number]): Html {
  const { title, href, icon, description, count } = entry;
  return markup`
    <li>
      <a${linkAttributes(view, href)}>
        ${contentIcon(view.site, icon)}
        <span>${title}</span>
        ${count !== undefined && markup`<small>${numberText(count, view.locale)}</small>`}
      </a>
      ${description && markup`<p>${description}</p>`}
    </li>`;
}
