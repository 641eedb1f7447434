import { allows } from '../blocks/index.ts';
import { plainTextNode } from '../create.ts';
import type {
  AnyNode,
  BlockNode,
  ColumnBlock,
  FragmentNode,
  InlineContent,
  JSONDocument,
  ListItemBlock,
  StepBlock,
  TabBlock,
  UpdateBlock,
} from '../nodes.ts';
import { childrenOf, withContent } from '../walk.ts';
import { isContainer, paragraphFor, type ContainerBlock, type Substitute } from './substitute.ts';

/** Nesting depth up to which blocks become lists. It keeps documents below the 100 levels of JSON that are accepted. */
const MAX_DEPTH = 40;

/**
 * The document with every block where the published schema allows it. `fromPublishedForm` is the inverse, and keeps the
 * edits of a client.
 */
export const toPublishedForm = (document: JSONDocument): JSONDocument => ({
  ...document,
  nodes: published(document.nodes, 'document', 0),
});

const published = (blocks: readonly BlockNode[], place: string, depth: number): BlockNode[] =>
  blocks.map((block) => publishedBlock(block, place, depth));

const publishedBlock = (block: BlockNode, place: string, depth: number): BlockNode =>
  allows(place, block.type) ? inside(block, depth) : substitute(block, depth);

/** The block itself, its content in published form. */
function inside(block: BlockNode, depth: number): BlockNode {
  const { nodes, fragments } = block;
  if (!nodes && !fragments) return block;
  return withContent(block, {
    ...(nodes ? { nodes: nodes.map((node) => insideNode(node, block.type, depth + 1)) } : {}),
    ...(fragments ? { fragments: fragments.map((fragment) => insideFragment(fragment, depth + 1)) } : {}),
  });
}

const insideFragment = (fragment: FragmentNode, depth: number): FragmentNode => ({
  ...fragment,
  nodes: published(fragment.nodes, fragment.type ?? fragment.fragment ?? '', depth + 1),
});

function insideNode(
  node: BlockNode | InlineContent,
  place: string,
  depth: number,
): BlockNode | InlineContent {
  if (node.object === 'block') return publishedBlock(node, place, depth);
  if (node.object === 'text' || !node.fragments) return node;
  return withContent(node, {
    fragments: node.fragments.map((fragment) => insideFragment(fragment, depth + 1)),
  });
}

/** Lists are allowed everywhere: any other block becomes the item of a list, or a list of its parts. */
function substitute(block: BlockNode, depth: number): Substitute {
  // Each level can become three: itself, a list and an item.
  if (depth + 2 + 3 * heightOf(block) > MAX_DEPTH) return { ...paragraphFor(block), original: block };
  if (allows('list-item', block.type)) {
    return { ...list([item(undefined, [inside(block, depth + 2)])]), nested: true };
  }
  if (!isContainer(block)) return { ...paragraphFor(block), original: block };
  const { nodes: _nodes, fragments: _fragments, ...original } = block;
  return { ...list(itemsFor(block, depth + 2)), ...keyOf(block), original };
}

function itemsFor(block: ContainerBlock, depth: number): ListItemBlock[] {
  switch (block.type) {
    case 'if':
    case 'prompt':
      return [item(undefined, published(block.nodes ?? [], 'list-item', depth))];
    case 'expandable':
      return (block.fragments ?? []).map((fragment) => partItem(fragment, undefined, depth));
    case 'tabs':
      return (block.nodes ?? []).map((tab) => partItem(tab, tab.data?.title, depth));
    case 'stepper':
    case 'columns':
    case 'updates':
      return (block.nodes ?? []).map((part) => partItem(part, undefined, depth));
  }
}

type Part = TabBlock | StepBlock | ColumnBlock | UpdateBlock | FragmentNode;

function partItem(
  { nodes = [], ...original }: Part,
  title: string | undefined,
  depth: number,
): ListItemBlock {
  const shown: Substitute[] = title === undefined ? [] : [{ ...paragraph(title), title: true }];
  return {
    ...item(original, [...shown, ...published(nodes, 'list-item', depth)]),
    ...keyOf(original),
  };
}

const keyOf = ({ key }: { readonly key?: string }): { key?: string } => (key === undefined ? {} : { key });

const list = (nodes: ListItemBlock[]): Substitute => ({ object: 'block', type: 'list-unordered', nodes });

const item = (original: object | undefined, nodes: BlockNode[]): ListItemBlock & Substitute => ({
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

/** Nesting depth of the content of a node, itself included. */
function heightOf(node: AnyNode): number {
  let height = 0;
  for (const child of childrenOf(node)) height = Math.max(height, heightOf(child));
  return height + 1;
}
