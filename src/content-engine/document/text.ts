import type { BlockNode, FragmentNode, InlineContent, JSONDocument } from './nodes.ts';

/** The words of documents, without marks and markup. */

export function textOfInlines(nodes: readonly InlineContent[]): string {
  let text = '';
  for (const node of nodes) {
    if (node.object === 'text') {
      for (const leaf of node.leaves) text += leaf.text;
    } else text += textOfInline(node);
  }
  return text;
}

function textOfInline(node: Exclude<InlineContent, { object: 'text' }>): string {
  const data = node.data ?? {};
  switch (node.type) {
    case 'link':
    case 'annotation':
      return textOfInlines(node.nodes ?? []);
    case 'emoji':
      return emojiOf(String(data['code'] ?? ''));
    case 'inline-math':
      return String(data['formula'] ?? '');
    case 'button':
      return String(data['label'] ?? '');
    case 'inline-image':
      return String(data['alt'] ?? '');
    default:
      return '';
  }
}

/** Families with all their joiners are much shorter: what is longer is no emoji, and too much to take apart. */
const LONGEST_EMOJI = 200;

/** `1f468-200d-1f4bb` as text. */
export function emojiOf(code: string): string {
  if (code.length > LONGEST_EMOJI) return '';
  const points = code.split('-').map((part) => Number.parseInt(part, 16));
  const isText = points.every(
    (point) => point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff),
  );
  return isText ? String.fromCodePoint(...points) : '';
}

const CODE = /^[\da-f]{2,6}(-[\da-f]{2,6})*$/i;

/** An emoji is spelled as the character or as its code. */
export const emojiText = (emoji: string): string => (CODE.test(emoji) ? emojiOf(emoji) : emoji);

/** The own text of a block, one entry per line or cell; blocks and fragments in it are not looked into. */
export function ownText(block: BlockNode): string | undefined {
  switch (block.type) {
    case 'paragraph':
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return textOfInlines((block.nodes ?? []) as InlineContent[]);
    case 'code': {
      const { title } = block.data ?? {};
      const lines = (block.nodes ?? []).map((line) =>
        textOfInlines(((line as BlockNode).nodes ?? []) as InlineContent[]),
      );
      return [...(typeof title === 'string' && title !== '' ? [title] : []), ...lines].join('\n');
    }
    case 'math':
      return String(block.data?.['formula'] ?? '');
    case 'image':
    case 'images':
      return block.type === 'image' ? String(block.data?.['alt'] ?? '') : undefined;
    case 'tabs-item':
      return typeof block.data?.['title'] === 'string' ? block.data['title'] : undefined;
    case 'table':
      return titlesOf(block);
    default:
      return undefined;
  }
}

function titlesOf(table: BlockNode): string {
  const definition = (table.data?.['definition'] ?? {}) as Record<string, { title?: string } | undefined>;
  return Object.values(definition)
    .map((column) => column?.title ?? '')
    .filter((title) => title !== '')
    .join('\n');
}

/** Visits all blocks in reading order, with those in fragments. Documents nest no deeper than the parser allows. */
export function eachBlock(blocks: readonly BlockNode[], visit: (block: BlockNode) => void): void {
  for (const block of blocks) {
    visit(block);
    if (block.fragments) eachFragment(block.fragments, visit);
    if (block.type === 'code' || block.type === 'code-line' || !block.nodes) continue;
    if ((block.nodes[0] as BlockNode | undefined)?.object === 'block')
      eachBlock(block.nodes as BlockNode[], visit);
    else eachAnnotation(block.nodes as InlineContent[], visit);
  }
}

function eachFragment(fragments: readonly FragmentNode[], visit: (block: BlockNode) => void): void {
  for (const fragment of fragments) eachBlock(fragment.nodes, visit);
}

function eachAnnotation(nodes: readonly InlineContent[], visit: (block: BlockNode) => void): void {
  for (const node of nodes) {
    if (node.object === 'inline' && node.fragments) eachFragment(node.fragments, visit);
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
