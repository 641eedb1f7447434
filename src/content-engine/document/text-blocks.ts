import type { BlockNode, HeadingBlock, InlineContent, ListBlock } from './nodes.ts';

export const isHeadingBlock = (block: BlockNode): block is HeadingBlock =>
  block.type === 'heading-1' || block.type === 'heading-2' || block.type === 'heading-3';

/** The inlines of a paragraph or heading; undefined for other blocks. */
export const inlinesOf = (block: BlockNode): InlineContent[] | undefined =>
  block.type === 'paragraph' || isHeadingBlock(block) ? (block.nodes ?? []) : undefined;

export const isListBlock = (block: BlockNode): block is ListBlock =>
  block.type === 'list-ordered' || block.type === 'list-unordered' || block.type === 'list-tasks';

/** Whether all items are one line and lists below it: then their text needs no paragraphs. */
export const isTight = ({ nodes = [] }: ListBlock): boolean =>
  nodes.every(({ nodes: parts = [] }) =>
    parts.every((part, index) => (index === 0 ? part.type === 'paragraph' : isListBlock(part))),
  );

/** A paragraph without text has no form in Markdown, and is ignored. */
export const isEmpty = (block: BlockNode): boolean =>
  block.type === 'paragraph' &&
  (block.nodes ?? []).every(
    (node) => node.object === 'text' && node.leaves.every((leaf) => leaf.text === ''),
  );
