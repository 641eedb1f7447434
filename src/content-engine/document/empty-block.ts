import type { BlockNode } from './nodes.ts';

/** A paragraph without text has no form in Markdown: it counts as nothing. */
export const emptyBlock = (block: BlockNode): boolean =>
  block.type === 'paragraph' &&
  (block.nodes ?? []).every(
    (node) => node.object === 'text' && node.leaves.every((leaf) => leaf.text === ''),
  );
