import { spriteFor } from '../icons/icon.ts';
import { directionOf } from '../locales/index.ts';
import type { HeadView } from '../model.ts';
import { pageStyle } from '../style/inputs.ts';
import { rootAttributes } from '../style/root-attributes.ts';
import { finderDialog } from './finder.ts';
import { headElements } from './head.ts';
import { attributes, markup, type Html, type Part } from './markup.ts';
import { siteFooter } from './site-footer.ts';
import { announcement, header } from './header.ts';
import { reserved, type View } from './view.ts';

export interface DocumentParts {
  /** Of the browser tab and of search results. */
  readonly title: string;
  readonly description?: string | undefined;
  readonly head: HeadView;
  /** More elements of `<head>`. */
  readonly extraHead?: Part;
  readonly content: Html;
  /** Words for `data-width` of `<html>`. */
  readonly width?: 'wide' | undefined;
  /** Visitors who may not read the site get its design, but neither navigation nor search. */
  readonly isClosed?: boolean;
}

/** A complete HTML document. */
export function document(view: View, parts: DocumentParts): string {
  const { site, words } = view;
  const direction = directionOf(site.language);
  const root = attributes({
    lang: site.language,
    dir: direction === 'rtl' && 'rtl',
    ...rootAttributes(site.customization),
    'data-width': parts.width,
    'data-copied': words.copied,
    'data-diagram': reserved(site, 'diagram'),
    'data-diagram-title': words.diagram,
  });
  const body = parts.isClosed
    ? parts.content
    : markup`<a class="skip button" href="#~content">${words.skip}</a>${announcement(view)}${header(view)}${parts.content}${siteFooter(view)}${finderDialog(view)}`;
  const style = pageStyle(site);
  return [
    `<!doctype html><html${root.text}><head>`,
    headElements(view, parts, style).text,
    '</head><body>',
    spriteFor(site, body.text).text,
    body.text,
    '</body></html>',
  ].join('');
}
