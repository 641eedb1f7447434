import {
  childrenOf,
  textOfInlines,
  type AnyNode,
  type BlockNode,
  type TextNode,
} from '../../document/index.ts';

/** The text of a block that Markdown has no form for, so that at least the text is not lost. */
export function flatText(block: BlockNode): string {
  const lines: string[] = [];
  const pending: AnyNode[] = [block];
  for (let node = pending.pop(); node; node = pending.pop()) {
    const children = childrenOf(node);
    const texts = children.filter((child): child is TextNode => child.object === 'text');
    const text = textOfInlines(texts);
    if (text !== '') lines.push(escapeAll(text));
    for (const child of children.toReversed()) if (child.object !== 'text') pending.push(child);
  }
  return lines.join('\n\n');
}

const escapeAll = (text: string): string =>
  text
    .replace(/[^\p{L}\p{N} ]/gu, '\\$&')
    .replace(/\n/g, ' ')
    .replace(/\\(?=[^!-~])/g, '');
