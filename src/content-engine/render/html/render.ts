import type { JSONDocument } from '../../document/index.ts';
import { runToEnd } from '../../run-to-end.ts';
import { blocks } from './blocks.ts';
import type { Context } from './context.ts';
import type { HtmlBody, HtmlOptions } from './options.ts';
import { PageState } from './page-state.ts';
import { serialise } from './serialise.ts';
import { ENGLISH } from './words.ts';

/** Renders in steps: `inSlices` runs them so that a long document does not block the event loop. */
export function* renderHtmlInSlices(
  document: JSONDocument,
  options: HtmlOptions = {},
): Generator<void, HtmlBody, void> {
  const page = new PageState(document);
  const context: Context = {
    options,
    words: { ...ENGLISH, ...options.words },
    locale: options.locale ?? 'en',
    page,
    isInteractive: false,
    isInOutline: true,
    within: [],
    blocks,
  };
  const html = yield* serialise(blocks(context, document.nodes));
  const { outline, needs, icons, frames } = page;
  return { html, outline, needs, icons, frames };
}

/** Renders at once. */
export const renderHtml = (document: JSONDocument, options?: HtmlOptions): HtmlBody =>
  runToEnd(renderHtmlInSlices(document, options));
