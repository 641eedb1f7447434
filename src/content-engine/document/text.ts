import type { BlockNode, InlineContent, InlineNode, JSONDocument } from './nodes.ts';
import { columnTitles } from './table.ts';
import { eachBlock } from './walk.ts';

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
export function ownText(block: BlockNode): string | undefined {
  switch (block.type) {
    case 'paragraph':
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return textOfInlines(block.nodes);
    case 'code': {
      const lines = (block.nodes ?? []).map((line) => textOfInlines(line.nodes));
      return (block.data?.title ? [block.data.title, ...lines] : lines).join('\n');
    }
    case 'math':
      return block.data.formula;
    case 'image':
      return block.data.alt ?? '';
    case 'tabs-item':
      return block.data?.title;
    case 'table':
      return columnTitles(block).join('\n');
    case 'list-ordered':
    case 'list-unordered':
    case 'list-tasks':
    case 'list-item':
    case 'blockquote':
    case 'divider':
    case 'code-line':
    case 'hint':
    case 'if':
    case 'prompt':
    case 'tabs':
    case 'stepper':
    case 'stepper-step':
    case 'columns':
    case 'column':
    case 'updates':
    case 'update':
    case 'expandable':
    case 'images':
    case 'file':
    case 'drawing':
    case 'embed':
    case 'content-ref':
    case 'reusable-content':
    case 'integration':
    case 'swagger':
    case 'openapi-operation':
    case 'openapi-webhook':
    case 'openapi-schemas':
      return undefined;
  }
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
