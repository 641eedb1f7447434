import { fragmentSprite } from '../icons/icon.ts';
import type { SearchView, SiteView } from '../model.ts';
import { columns, document } from './document.ts';
import { searchForm, searchResults } from './finder.ts';
import { markup } from './markup.ts';
import { viewOf } from './view.ts';

export function renderSearchPage(site: SiteView, search: SearchView): string {
  const view = viewOf(site);
  const { words } = view;
  const button = markup`<button class="button primary">${words.search}</button>`;
  return document(view, {
    title: search.query === '' ? words.search : `${words.search}: ${search.query}`,
    head: { isIndexed: false },
    content: columns({
      main: markup`
        <header class="head"><h1>${words.search}</h1></header>
        <div class="finder inline">
          ${searchForm(view, search.query, button)}
          <div class="found">${searchResults(view, search)}</div>
        </div>`,
    }),
  });
}

/** For the dialog, which asks with `fragment=1`: the results alone. */
export function renderSearchResults(site: SiteView, search: SearchView): string {
  const results = searchResults(viewOf(site), search).text;
  return results + fragmentSprite(site, results).text;
}
