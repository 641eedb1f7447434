import {
  isEmpty,
  plainTextNode,
  type BlockNode,
  type InlineContent,
  type ListBlock,
  type ListItemBlock,
  type Mark,
  type ParagraphBlock,
  type TextNode,
} from '../../document/index.ts';

/** Nodes of documents without keys, which only stored documents have. */

export { mark, marked } from '../../document/index.ts';

export const textNode = (text: string, marks: readonly Mark[] = []): TextNode => ({
  object: 'text',
  leaves: [{ object: 'leaf', text, marks: [...marks] }],
});

export const paragraph = (nodes: InlineContent[]): ParagraphBlock => ({
  object: 'block',
  type: 'paragraph',
  nodes,
});

export const plainParagraph = (text: string): ParagraphBlock => paragraph([plainTextNode(text)]);

export const listItem = (nodes: BlockNode[], checked?: boolean): ListItemBlock => ({
  object: 'block',
  type: 'list-item',
  ...(checked === undefined ? {} : { data: { checked } }),
  nodes: nodes.length > 0 ? nodes : [paragraph([])],
});

export const unorderedList = (nodes: ListItemBlock[]): ListBlock => ({
  object: 'block',
  type: 'list-unordered',
  nodes,
});

/** Removes empty paragraphs. */
export const filled = (blocks: readonly BlockNode[]): BlockNode[] =>
  blocks.filter((block) => !isEmpty(block));
