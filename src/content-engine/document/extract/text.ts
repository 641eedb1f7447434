import { describe } from '../blocks/index.ts';
import type { BlockNode, InlineContent, InlineNode, JSONDocument } from '../nodes.ts';
import { eachBlock } from '../walk.ts';

/** The text of documents, without marks and markup. */

export function textOfInlines(nodes: readonly InlineContent[] | undefined): string {
  let text = '';
  for (const node of nodes ?? []) {
    if (node.object === 'text') {
      for (const leaf of node.leaves) text += leaf.text;
    } else text += textOfInline(node);
  }
  return text;
}

function textOfInline(node: InlineNode): string {
  switch (node.type) {
    case 'link':
    case 'annotation':
      return textOfInlines(node.nodes);
    case 'emoji':
      return emojiOf(node.data.code);
    case 'inline-math':
      return node.data.formula;
    case 'button':
      return node.data.label;
    case 'inline-image':
      return node.data.alt ?? '';
    case 'icon':
    case 'expression':
    case 'mention':
      return '';
  }
}

/** Longer than any emoji sequence: beyond this, a code is not decoded. */
const MAX_EMOJI_CODE = 200;

/** `1f468-200d-1f4bb` as text. */
export function emojiOf(code: string): string {
  if (code.length > MAX_EMOJI_CODE) return '';
  const points = code.split('-').map((part) => Number.parseInt(part, 16));
  const isText = points.every(
    (point) => point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff),
  );
  return isText ? String.fromCodePoint(...points) : '';
}

const CODE = /^[\da-f]{2,6}(-[\da-f]{2,6})*$/i;

/** An emoji is given as the character or as its code. */
export const emojiText = (emoji: string): string => (CODE.test(emoji) ? emojiOf(emoji) : emoji);

/** The text of a block itself, one line per line of code or column title; nested blocks and fragments are left out. */
export const ownText = (block: BlockNode): string | undefined =>
  describe(block.type).ownText?.(block.data ?? {}, () => linesOf(block));

function linesOf(block: BlockNode): string[] {
  if (block.type === 'code') return (block.nodes ?? []).map((line) => textOfInlines(line.nodes));
  // No other block whose description asks for its lines holds blocks.
  return [textOfInlines(block.nodes as InlineContent[] | undefined)];
}

/** All text of a document, one line per paragraph, heading, line of code or cell. */
export function plainText(document: JSONDocument): string {
  const lines: string[] = [];
  eachBlock(document.nodes, (block) => {
    const text = ownText(block);
    if (text !== undefined && text !== '') lines.push(text);
  });
  return lines.join('\n');
}
