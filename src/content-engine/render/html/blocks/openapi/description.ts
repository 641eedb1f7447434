import { othersMarkdown } from '../../../../evaluation/index.ts';
import { apart, type Context } from '../../context.ts';
import { element, type HtmlNode } from '../../node.ts';

/**
 * The description of a part, as Markdown. Its author is not that of the page: it shows text, lists, tables, code and
 * images, and refers to nothing of the space.
 */
export function description(context: Context, text: string | undefined): HtmlNode {
  if (text === undefined) return undefined;
  const { words, iconHref, externalLinks, locale } = context.options;
  const options = { words, iconHref, externalLinks, locale };
  const { page } = context;
  // Its headings are no headings of the page.
  const { heading } = page;
  return () => [
    context.blocks({ ...apart(context), options }, othersMarkdown(text)),
    () => {
      page.heading = heading;
      return undefined;
    },
  ];
}

/** In a block of its own, where there is one. */
export const described = (context: Context, text: string | undefined): HtmlNode =>
  text === undefined ? undefined : element('div', { class: 'about flow' }, description(context, text));
