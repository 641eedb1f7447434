import type { JSONDocument } from '../../document/index.ts';
import { blocks } from './blocks/blocks.ts';
import type { Context } from './context.ts';
import type { HtmlBody, HtmlOptions } from './options.ts';
import { PageState } from './page-state.ts';
import { serialise } from './serialise.ts';
import { ENGLISH } from './words.ts';

export function renderHtml(document: JSONDocument, options: HtmlOptions = {}): HtmlBody {
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
  const html = serialise(blocks(context, document.nodes));
  const { outline, needs, icons, frames, connects, saysDescription } = page;
  return { html, outline, needs, icons, frames, connects, saysDescription };
}
