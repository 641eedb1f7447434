import { marked } from '../../document/index.ts';
import { TITLE } from '../scan/callouts.ts';
import type { Token } from '../scan/token.ts';
import { hintStyle } from './containers.ts';
import type { ReadBlock } from './kind.ts';
import { readQuote } from './text.ts';

/** Whether a token is a hint in the syntax of another program. */
export const isCallout = ({ kind, name }: Token): boolean =>
  kind === 'directive' || kind === 'admonition' || (kind === 'quote' && name !== '');

/** Hints have no title of their own: it is their first paragraph, in bold. */
export const readCallout: ReadBlock = (reader, token, key) => {
  const children = token.children ?? [];
  const nodes = reader.blocks(children, false);
  const [title] = nodes;
  if (children[0]?.name === TITLE && title?.type === 'paragraph')
    title.nodes = marked(title.nodes ?? [], 'bold');
  return [{ object: 'block', type: 'hint', key, data: { style: hintStyle(token.name) }, nodes }];
};

export const readQuoteOrCallout: ReadBlock = (reader, token, key) =>
  (isCallout(token) ? readCallout : readQuote)(reader, token, key);
