import type { BlockNode } from './nodes.ts';

/** A paragraph without text has no form in Markdown, and is ignored. */
export const isEmpty = (block: BlockNode): boolean =>
  block.type === 'paragraph' &&
  (block.nodes ?? []).every(
    (node) => node.object === 'text' && node.leaves.every((leaf) => leaf.text === ''),
  );
