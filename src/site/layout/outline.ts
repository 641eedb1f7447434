import { drawing } from '../icons/icon.ts';
import type { PageBody, PageView } from '../model.ts';
import { markup, type Html, type Part } from './markup.ts';
import { linkAttributes, type View } from './view.ts';

/** The headings of the page and what can be done with it: beside the text, or behind a button. */
export function outline(view: View, page: PageView): Html | false {
  const { words, site } = view;
  const entries = page.layout.outline ? page.body.outline : [];
  const { git, pdf } = site.customization;
  const actions = [
    page.editHref &&
      git.showEditLink &&
      markup`<a${linkAttributes(view, page.editHref)}>${drawing('edit')}${words.edit}</a>`,
    page.pdfHref &&
      pdf.enabled &&
      markup`<a${linkAttributes(view, page.pdfHref)} rel="nofollow">${drawing('download')}${words.pdf}</a>`,
  ].filter((action) => action instanceof Object);
  if (entries.length === 0 && (actions.length === 0 || !page.layout.outline)) return false;
  const more = actions.length > 0 && markup`<div class="more">${actions}</div>`;
  // A title promises headings. Without them, only the button of narrow screens needs a name.
  if (entries.length === 0)
    return markup`
      <details class="outline">
        <summary>${drawing('list')}${words.pageActions}</summary>
        <nav aria-label="${words.pageActions}">${more}</nav>
      </details>`;
  return markup`
    <details class="outline">
      <summary>${drawing('list')}${words.outline}</summary>
      <nav aria-labelledby="~outline">
        <h2 id="~outline">${drawing('list')}${words.outline}</h2>
        <ul>${nested(entries)}</ul>
        ${more}
      </nav>
    </details>`;
}

type Entry = PageBody['outline'][number];

/** Two levels: deeper headings are listed with those of the second. */
function nested(entries: readonly Entry[]): Html[] {
  const top = Math.min(...entries.map(({ level }) => level));
  const items: { readonly entry: Entry; readonly children: Entry[] }[] = [];
  for (const entry of entries) {
    const parent = items.at(-1);
    if (entry.level === top || !parent) items.push({ entry, children: [] });
    else parent.children.push(entry);
  }
  const itemOf = (entry: Entry, children?: Part): Html => markup`<li>${link(entry)}${children}</li>`;
  return items.map(({ entry, children }) =>
    itemOf(entry, children.length > 0 && markup`<ul>${children.map((child) => itemOf(child))}</ul>`),
  );
}

const link = ({ id, title }: Entry): Html =>
  markup`<a href="#${encodeURIComponent(id.toWellFormed())}">${title}</a>`;
