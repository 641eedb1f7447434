import { fragmentSprite } from '../icons/icon.ts';
import type { SearchView, SiteView } from '../model.ts';
import { document, oneColumn } from './document/document.ts';
import { searchForm, searchResults } from './document/finder.ts';
import { markup } from './markup.ts';
import { viewOf } from './view.ts';

export function renderSearchPage(site: SiteView, search: SearchView): string {
  const view = viewOf(site);
  const { words } = view;
  const button = markup`<button class="button primary">${words.search}</button>`;
  return document(view, {
    title: search.query === '' ? words.search : `${words.search}: ${search.query}`,
    head: { isIndexed: false },
    content: oneColumn(
      view,
      markup`
        <header class="head"><h1>${words.search}</h1></header>
        <div class="finder inline">
          ${searchForm(view, search.query, button)}
          <div class="found">${searchResults(view, search)}</div>
        </div>`,
    ),
  });
}

/** The results alone, for the dialog, which requests them with `fragment=1`. */
export function renderSearchResults(site: SiteView, search: SearchView): string {
  const results = searchResults(viewOf(site), search).text;
  return results + fragmentSprite(site, results).text;
}
