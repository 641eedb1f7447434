import { contentIcon, drawing } from '../../icons/icon.ts';
import { fill, numberText } from '../../locales/index.ts';
import type { SearchResult, SearchScope, SearchView, TextPart } from '../../model.ts';
import { attributes, markup, type Html } from '../markup.ts';
import { linkAttributes, reserved, type View } from '../view.ts';

/** Closed until the script opens it: without one, the search field is a link to the search page. */
export function finderDialog(view: View): Html {
  const { words } = view;
  const close = markup`
    <button class="button quiet small" type="button" data-close>
      <kbd>Esc</kbd><span class="hidden">${words.close}</span>
    </button>`;
  return markup`
    <dialog class="finder"${attributes({ 'aria-label': words.search, 'data-failed': words.searchFailed })}>
      ${searchForm(view, '', close)}
      <div class="found"></div>
      <p class="keys">
        <span><kbd>↑</kbd> <kbd>↓</kbd> ${words.move}</span>
        <span><kbd>↵</kbd> ${words.open}</span>
        <span><kbd>Esc</kbd> ${words.close}</span>
      </p>
    </dialog>`;
}

/** A plain form: it works without the script. */
export function searchForm({ site, words }: View, query: string, end: Html): Html {
  const input = attributes({
    type: 'search',
    name: 'q',
    value: query,
    placeholder: words.searchPlaceholder,
    'aria-label': words.searchPlaceholder,
    maxlength: 512,
    autocomplete: 'off',
    spellcheck: 'false',
  });
  return markup`
    <form action="${reserved(site, 'search')}" role="search">
      ${drawing('search')}<input${input}>${end}
    </form>`;
}

/** Results, as the search page and the dialog show them. */
export function searchResults(view: View, search: SearchView): Html {
  const { words, locale } = view;
  if (search.query === '') return markup`<p class="empty" role="status">${words.searchHint}</p>`;
  if (search.results.length === 0)
    return markup`
      ${scopes(view, search)}
      <div class="empty">
        <p role="status"><b>${fill(words.noResults, search.query)}</b></p>
        <p>${words.noResultsHint}</p>
      </div>`;
  return markup`
    ${scopes(view, search)}
    <ul class="results">${search.results.map((result) => resultItem(view, result))}</ul>
    <p class="count" role="status">${fill(words.results, numberText(search.count, locale))}</p>`;
}

function scopes(view: View, { scopes: all }: SearchView): Html | false {
  if (all.length < 2) return false;
  const chip = ({ title, href, isCurrent }: SearchScope): Html =>
    markup`<a class="chip"${linkAttributes(view, href, { 'aria-current': isCurrent && 'true' })}>${title}</a>`;
  return markup`<div class="scope" role="group" aria-label="${view.words.searchIn}">${all.map(chip)}</div>`;
}

function resultItem(view: View, result: SearchResult): Html {
  const sections = result.sections.flatMap(({ href, title, excerpt }) => {
    // The text before the first heading has the title of its page, which is shown above it.
    const heading = textOf(title) !== result.title && markup`<b>${marked(title)}</b>`;
    if (!heading && textOf(excerpt) === '') return [];
    return markup`
      <li>
        <a${linkAttributes(view, href)}>
          <span>${heading}<small>${marked(excerpt)}</small></span>
          ${drawing('enter', 'go flip')}
        </a>
      </li>`;
  });
  const path = result.path.join(' › ');
  return markup`
    <li>
      <a${linkAttributes(view, result.href)}>
        ${contentIcon(view.site, result.icon) ?? drawing('page')}
        <span>
          <b>${result.titleParts ? marked(result.titleParts) : result.title}</b>
          ${path && markup`<small>${path}</small>`}
        </span>
        ${drawing('enter', 'go flip')}
      </a>
      ${sections.length > 0 && markup`<ul>${sections}</ul>`}
    </li>`;
}

const textOf = (parts: readonly TextPart[]): string => parts.map(({ text }) => text).join('');

const marked = (parts: readonly TextPart[]): Html[] =>
  parts.map(({ text, isMatch }) => (isMatch ? markup`<mark>${text}</mark>` : markup`${text}`));
