import {
  IncludeBudget,
  withContent,
  type BlockNode,
  type InlineContent,
  type InlineNode,
  type JSONDocument,
} from '../document/index.ts';
import type { ContentRef } from '../tree/index.ts';

type ReusableRef = Extract<ContentRef, { kind: 'reusable-content' }>;

interface Expansion {
  readonly contentOf: (ref: ReusableRef) => JSONDocument | undefined;
  /** The contents around a block: none includes itself. */
  readonly within: readonly string[];
  readonly budget: IncludeBudget;
}

/** Replaces includes by the content that they refer to. An include of unknown content shows nothing. */
export const expandIncludes = (document: JSONDocument, contentOf: Expansion['contentOf']): JSONDocument => ({
  ...document,
  nodes: expandBlocks(document.nodes, { contentOf, within: [], budget: new IncludeBudget() }),
});

const expandBlocks = (blocks: readonly BlockNode[], expansion: Expansion): BlockNode[] =>
  blocks.flatMap((block) => expandBlock(block, expansion));

function expandBlock(block: BlockNode, expansion: Expansion): BlockNode[] {
  if (block.type !== 'reusable-content') return [expandChildren(block, expansion)];
  const { ref } = block.data;
  const { within, contentOf, budget } = expansion;
  const content = within.includes(ref.reusableContent) ? undefined : contentOf(ref);
  if (!content || !budget.admit(content)) return [];
  return expandBlocks(content.nodes, { ...expansion, within: [...within, ref.reusableContent] });
}

function expandChildren<Node extends BlockNode | InlineNode>(node: Node, expansion: Expansion): Node {
  const { nodes, fragments } = node;
  const expanded = (child: BlockNode | InlineContent): (BlockNode | InlineContent)[] => {
    if (child.object === 'block') return expandBlock(child, expansion);
    return [child.object === 'inline' ? expandChildren(child, expansion) : child];
  };
  return withContent(node, {
    ...(nodes ? { nodes: nodes.flatMap(expanded) } : {}),
    ...(fragments
      ? { fragments: fragments.map((one) => ({ ...one, nodes: expandBlocks(one.nodes, expansion) })) }
      : {}),
  });
}
