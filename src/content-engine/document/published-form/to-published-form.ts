import {
  plainTextNode,
  type BlockNode,
  type FragmentNode,
  type InlineContent,
  type JSONDocument,
} from '../nodes.ts';
import {
  HOLDERS,
  isContainer,
  paragraphFor,
  PART_OF,
  titleOf,
  type Original,
  type Substitute,
} from './forms.ts';
import { allows } from './places.ts';

/** Nesting depth up to which blocks are given as lists. A document stays within the 100 levels of JSON that are taken. */
const MAX_DEPTH = 40;

/**
 * The document with every block where the published schema allows it. `fromPublishedForm` gives back the document that
 * it was made of, with the edits of a client in it.
 */
export const toPublishedForm = (document: JSONDocument): JSONDocument => ({
  ...document,
  nodes: published(document.nodes, 'document', 0),
});

const published = (blocks: readonly BlockNode[], place: string, depth: number): BlockNode[] =>
  blocks.map((block) => (allows(place, block.type) ? inside(block, depth) : substitute(block, depth)));

/** The block itself, its content in published form. */
function inside(block: BlockNode, depth: number): BlockNode {
  const { nodes, fragments } = block;
  if (!nodes && !fragments) return block;
  return {
    ...block,
    ...(nodes ? { nodes: content(nodes, block.type, depth + 1) } : {}),
    ...(fragments ? { fragments: fragments.map((fragment) => insideFragment(fragment, depth + 1)) } : {}),
  };
}

const insideFragment = (fragment: FragmentNode, depth: number): FragmentNode => ({
  ...fragment,
  nodes: published(fragment.nodes, fragment.type ?? fragment.fragment ?? '', depth + 1),
});

const content = (
  nodes: readonly (BlockNode | InlineContent)[],
  place: string,
  depth: number,
): (BlockNode | InlineContent)[] =>
  nodes.map((node) => {
    if (node.object === 'block') return published([node], place, depth)[0] ?? node;
    if (node.object === 'text' || !node.fragments) return node;
    return { ...node, fragments: node.fragments.map((fragment) => insideFragment(fragment, depth + 1)) };
  });

/** Lists may stand everywhere: a block that may not is an item of one, or it is a list of its parts. */
function substitute(block: BlockNode, depth: number): Substitute {
  const isNestable = allows('list-item', block.type);
  if (!isNestable && !isContainer(block)) return { ...paragraphFor(block), original: block };
  // Each level may become three: itself, a list and an item.
  if (depth + 2 + 3 * heightOf(block) > MAX_DEPTH) return { ...paragraphFor(block), original: block };
  if (isNestable) return { ...list([item(undefined, [inside(block, depth + 2)])]), nested: true };
  const { nodes = [], fragments = [], ...original } = block;
  const items = HOLDERS.has(block.type)
    ? [item(undefined, published(nodes as BlockNode[], 'list-item', depth + 2))]
    : partsOf(block.type, nodes as BlockNode[], fragments).map((part) => partItem(part, depth + 2));
  return { ...list(items), ...keyOf(block), original };
}

const partsOf = (
  type: string,
  nodes: readonly BlockNode[],
  fragments: readonly FragmentNode[],
): readonly (BlockNode | FragmentNode)[] => (type in PART_OF ? nodes : fragments);

function partItem({ nodes = [], ...original }: BlockNode | FragmentNode, depth: number): Substitute {
  const shell: Original = original;
  const title = titleOf(shell);
  const shown: Substitute[] = title === undefined ? [] : [{ ...paragraph(title), title: true }];
  return {
    ...item(shell, [...shown, ...published(nodes as BlockNode[], 'list-item', depth)]),
    ...keyOf(shell),
  };
}

const keyOf = ({ key }: { readonly key?: string }): { key?: string } => (key === undefined ? {} : { key });

const list = (nodes: BlockNode[]): Substitute => ({ object: 'block', type: 'list-unordered', nodes });

const item = (original: Original | undefined, nodes: BlockNode[]): Substitute => ({
  object: 'block',
  type: 'list-item',
  nodes,
  ...(original ? { original } : {}),
});

const paragraph = (text: string): BlockNode => ({
  object: 'block',
  type: 'paragraph',
  nodes: [plainTextNode(text)],
});

/** How many nodes are in the block, one in the other. */
function heightOf({
  nodes = [],
  fragments = [],
}: {
  nodes?: readonly object[];
  fragments?: readonly object[];
}): number {
  let height = 0;
  for (const child of [...nodes, ...fragments]) height = Math.max(height, heightOf(child));
  return height + 1;
}
