import type { JSONDocument } from '../nodes.ts';
import { ownText } from './text.ts';
import { eachBlock } from '../walk.ts';

/** Search engines show about as much. */
const MAX_LENGTH = 160;
/** Enough to contain it, whatever the white space. */
const MAX_READ = 10_000;

/** The description of a page that has none, for search engines: the beginning of its first paragraph. */
export function summaryOf({ nodes }: JSONDocument, maxLength = MAX_LENGTH): string | undefined {
  let text = '';
  eachBlock(nodes, (block) => {
    if (text === '' && block.type === 'paragraph')
      text = (ownText(block) ?? '').slice(0, MAX_READ).replaceAll(/\s+/g, ' ').trim();
  });
  if (text.length <= maxLength) return text === '' ? undefined : text;
  const cut = text.slice(0, maxLength - 1);
  // The end of a word, unless the text has no spaces, as in Chinese.
  const end = cut.lastIndexOf(' ');
  return `${cut.slice(0, end > maxLength / 2 ? end : undefined).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
