import {
  isEmpty,
  plainTextNode,
  type BlockNode,
  type InlineContent,
  type ListBlock,
  type ListItemBlock,
  type Mark,
  type ParagraphBlock,
  type PlainMark,
  type TextNode,
} from '../../document/index.ts';

/** Nodes of documents without keys, which only stored documents have. */

export const mark = (type: PlainMark): Mark => ({ object: 'mark', type });

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

/** Text with one more mark; links and images inside stay as they are. */
export const marked = (nodes: readonly InlineContent[], type: PlainMark): InlineContent[] =>
  nodes.map((node): InlineContent => {
    if (node.object === 'inline')
      return node.type === 'link' ? { ...node, nodes: marked(node.nodes ?? [], type) } : node;
    const leaves = node.leaves.map((leaf) =>
      leaf.marks.some((one) => one.type === type) ? leaf : { ...leaf, marks: [...leaf.marks, mark(type)] },
    );
    return { ...node, leaves };
  });

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

/** Without empty paragraphs. */
export const filled = (blocks: readonly BlockNode[]): BlockNode[] =>
  blocks.filter((block) => !isEmpty(block));
