import { drawing } from '../icons/icon.ts';
import type { AccessView, SiteView, TreeEntry } from '../model.ts';
import { brand } from './brand.ts';
import { columns, document, oneColumn } from './document/document.ts';
import { markup, type Html } from './markup.ts';
import { drawer } from './document/tree.ts';
import { homeOf, linkAttributes, reserved, viewOf, type View } from './view.ts';

/** Documents that say one thing, and what to do next. */

/** `tree` is that of the space, so that a reader with an old link finds the page. */
export const renderNotFound = (site: SiteView, tree: readonly TreeEntry[]): string =>
  renderFramed(site, tree, '404', ({ notFound, notFoundText }) => [notFound, notFoundText]);

/** A page that exists, but cannot be rendered now, or at all. */
export const renderFailure = (site: SiteView, tree: readonly TreeEntry[], status: PageFailure): string =>
  renderFramed(site, tree, String(status), (words) =>
    status === 413 ? [words.tooLarge, words.tooLargeText] : [words.busy, words.busyText],
  );

export type PageFailure = 413 | 503;

function renderFramed(
  site: SiteView,
  tree: readonly TreeEntry[],
  sign: string,
  said: (words: View['words']) => readonly [title: string, text: string],
): string {
  const view = viewOf(site);
  const { words } = view;
  const [title, text] = said(words);
  const search = markup`
    <a class="button" data-action="search" href="${reserved(site, 'search')}">${drawing('search')}${words.search}</a>`;
  const home = markup`<a class="button primary" href="${homeOf(site)}">${words.home}</a>`;
  return document(view, {
    title,
    head: { isIndexed: false },
    content: columns({
      drawer: drawer(view, tree, tree.length > 0),
      hasTree: tree.length > 0,
      main: notice({ sign, title, text, actions: [home, search] }),
    }),
  });
}

/** Shows nothing of the content or structure: the visitor may not know them. */
export function renderAccessPage(site: SiteView, access: AccessView): string {
  const view = viewOf(site);
  const said = accessNotice(view, access);
  return document(view, {
    title: said.title,
    head: { isIndexed: false },
    isClosed: true,
    content: markup`
      <main id="~content" class="gate">
        <div class="brand">${brand(view, site.customization.header.logo)}</div>
        ${notice(said)}
      </main>`,
  });
}

/** After a rating that was sent without the script. */
export function renderFeedbackReceived(site: SiteView, backHref: string): string {
  const view = viewOf(site);
  const { words } = view;
  const back = markup`
    <a class="button"${linkAttributes(view, backHref)}>${drawing('left', 'flip')}${words.previous}</a>`;
  return document(view, {
    title: words.thanks,
    head: { isIndexed: false },
    content: oneColumn(view, notice({ title: words.thanks, actions: [back] })),
  });
}

interface Notice {
  readonly sign?: string;
  readonly title: string;
  readonly text?: string;
  readonly actions?: readonly Html[];
}

const notice = ({ sign, title, text, actions = [] }: Notice): Html => markup`
  <div class="notice">
    ${sign && markup`<p class="sign" aria-hidden="true">${sign}</p>`}
    <h1>${title}</h1>
    ${text && markup`<p>${text}</p>`}
    ${actions.length > 0 && markup`<p class="buttons">${actions}</p>`}
  </div>`;

function accessNotice(view: View, access: AccessView): Notice {
  const { words } = view;
  const button = (href: string | undefined, label: string): Html[] =>
    href === undefined ? [] : [markup`<a class="button primary"${linkAttributes(view, href)}>${label}</a>`];
  switch (access.reason) {
    case 'share-link':
      return { title: words.shareLink, text: words.shareLinkText };
    case 'sign-in':
      return {
        title: words.signInTitle,
        text: words.signInText,
        actions: button(access.signInHref, words.signIn),
      };
  }
}
