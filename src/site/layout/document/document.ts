import { featuresOf } from '../../../content-engine/render/html/index.ts';
import { pageSprite } from '../../icons/icon.ts';
import { directionOf } from '../../locales/index.ts';
import type { SiteView } from '../../model.ts';
import { pageStyle } from '../../style/inputs.ts';
import { rootAttributes } from '../../style/root-attributes.ts';
import { finderDialog } from './finder.ts';
import { assetHref, headElements, type DocumentParts } from './head.ts';
import { attributes, markup, type Html, type Part } from '../markup.ts';
import { siteFooter } from './site-footer.ts';
import { announcement, header } from './header.ts';
import { drawer } from './tree.ts';
import { reserved, type View } from '../view.ts';

/** A complete HTML document. */
export function document(view: View, parts: DocumentParts): string {
  const { site, words } = view;
  const features = featuresOf(parts.content.text);
  const direction = directionOf(site.language);
  const root = attributes({
    lang: site.language,
    dir: direction === 'rtl' && 'rtl',
    ...rootAttributes(site.customization),
    'data-width': parts.width,
    'data-copied': words.copied,
    // Only where the script needs them.
    ...(features.hasDiagrams && {
      'data-diagram': reserved(site, 'diagram'),
      'data-diagram-title': words.diagram,
    }),
    'data-try-it': features.hasTryIt && assetHref(site, 'try-it.js'),
    'data-filter': features.hasFilters && words.filter,
  });
  const body = parts.isClosed
    ? parts.content
    : markup`
        <a class="skip button" href="#~content">${words.skip}</a>
        ${programsHint(site)}
        ${announcement(view)}
        ${header(view)}
        ${parts.content}
        ${siteFooter(view)}
        ${finderDialog(view)}`;
  const style = pageStyle(site);
  return [
    `<!doctype html><html${root.text}><head>`,
    headElements(view, parts, style, features).text,
    '</head><body>',
    pageSprite(site, body.text, features.symbols).text,
    body.text,
    '</body></html>',
  ].join('');
}

/** Leads programs that read the HTML of one page to a list of all pages, as Markdown. */
const programsHint = ({ basePath }: SiteView): Html =>
  markup`<a hidden href="${basePath}/llms.txt">llms.txt</a>`;

export interface Columns {
  readonly drawer: Part;
  /** Whether wide screens show it as a column. */
  readonly hasTree: boolean;
  readonly outline?: Part;
  readonly main: Html;
}

/** The frame below the header: tree, text, outline. */
export function columns({ drawer: pages, hasTree, outline, main }: Columns): Html {
  const absent = [!hasTree && 'tree', !outline && 'outline'].filter(Boolean).join(' ');
  return markup`
    <div class="shell layout"${attributes({ 'data-without': absent || undefined })}>
      ${Boolean(pages || outline) && markup`<div class="bars">${pages}${outline}</div>`}
      <main id="~content" tabindex="-1">${main}</main>
    </div>`;
}

/** A document without a tree. */
export const oneColumn = (view: View, main: Html): Html =>
  columns({ drawer: drawer(view, [], false), hasTree: false, main });
