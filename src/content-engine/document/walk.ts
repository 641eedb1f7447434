import type { AnyNode, BlockNode, ChildNode, FragmentNode, InlineContent, InlineNode } from './nodes.ts';

/** Child nodes in reading order: content, then fragments. */
export function childrenOf(node: AnyNode): readonly ChildNode[] {
  if (node.object === 'text') return [];
  const nodes: readonly (BlockNode | InlineContent)[] = node.nodes ?? [];
  const fragments = 'fragments' in node ? node.fragments : undefined;
  return fragments && fragments.length > 0 ? [...nodes, ...fragments] : nodes;
}

/** The blocks that a block holds directly; none where it holds text. */
export function childBlocks(block: BlockNode): BlockNode[] {
  const nodes: readonly (BlockNode | InlineContent)[] = block.nodes ?? [];
  return nodes.filter((node) => node.object === 'block');
}

/** The content of a block as blocks: text as a paragraph. */
export function contentBlocks(block: BlockNode): BlockNode[] {
  const nodes: readonly (BlockNode | InlineContent)[] = block.nodes ?? [];
  const inlines = nodes.filter((node) => node.object !== 'block');
  return inlines.length > 0 ? [{ object: 'block', type: 'paragraph', nodes: inlines }] : childBlocks(block);
}

/** Blocks in all fragments of a node. */
export const fragmentBlocks = ({ fragments = [] }: BlockNode | InlineNode): BlockNode[] =>
  fragments.flatMap(({ nodes }) => nodes);

/** Visits all blocks in reading order, those in fragments included. The parser bounds the depth of documents. */
export function eachBlock(blocks: readonly BlockNode[], visit: (block: BlockNode) => void): void {
  for (const block of blocks) visitBlock(block, visit);
}

function visitBlock(block: BlockNode, visit: (block: BlockNode) => void): void {
  visit(block);
  if (block.fragments) visitFragments(block.fragments, visit);
  if (block.type === 'code' || block.type === 'code-line' || !block.nodes) return;
  for (const node of block.nodes) {
    if (node.object === 'block') visitBlock(node, visit);
    else if (node.object === 'inline' && node.fragments) visitFragments(node.fragments, visit);
  }
}

function visitFragments(fragments: readonly FragmentNode[], visit: (block: BlockNode) => void): void {
  for (const { nodes } of fragments) eachBlock(nodes, visit);
}

/**
 * The node with other content. The caller keeps the kind of content that the type of the node asks for: items in lists,
 * inlines in paragraphs.
 */
export const withContent = <Node extends BlockNode | InlineNode>(
  node: Node,
  content: {
    nodes?: readonly (BlockNode | InlineContent)[] | undefined;
    fragments?: FragmentNode[] | undefined;
  },
): Node => ({ ...node, ...content }) as Node;
