import { fingerprint } from '../canonical.ts';
import { isObject } from '../check/shape.ts';
import {
  blocksOf,
  inlinesOf,
  type BlockNode,
  type FragmentNode,
  type InlineContent,
  type JSONDocument,
} from '../nodes.ts';
import { problemIn } from '../check/problem-in.ts';
import { textOfInlines } from '../text.ts';
import { HOLDERS, isContainer, paragraphFor, PART_OF, titleOf, type Substitute } from './forms.ts';

/**
 * Converts a document from published form back, with the edits of the client. Validate both the input and the result with
 * `problemIn`: a client can forge the originals that the published form carries.
 */
export const fromPublishedForm = (document: JSONDocument): JSONDocument => ({
  ...document,
  nodes: restored(document.nodes),
});

const restored = (blocks: readonly Substitute[]): BlockNode[] => blocks.flatMap(restoredBlock);

function restoredBlock(block: Substitute): BlockNode[] {
  const { nested, original, title, ...plain } = block;
  if (block.type === 'paragraph') {
    if (title === true) return [];
    return [original && standsFor(plain, original) ? original : inside(plain)];
  }
  if (block.type === 'list-unordered') {
    if (nested === true) return blocksOf(block).flatMap((item) => restored(blocksOf(item)));
    if (isBlock(original) && isContainer(original)) return [container(block, original)];
  }
  return [inside(plain)];
}

const isBlock = (value: unknown): value is BlockNode =>
  isObject(value) && value['object'] === 'block' && typeof value['type'] === 'string';

/** Whether the paragraph is unchanged since it replaced the block. An edited paragraph is an ordinary one. */
const standsFor = (paragraph: BlockNode, original: unknown): original is BlockNode =>
  isBlock(original) &&
  problemIn({ object: 'document', nodes: [original] }) === undefined &&
  fingerprint(paragraph) === fingerprint(paragraphFor(original));

function inside(block: BlockNode): BlockNode {
  const { nodes, fragments } = block;
  if (!nodes && !fragments) return block;
  return {
    ...block,
    ...(nodes ? { nodes: nodes.flatMap(restoredNode) } : {}),
    ...(fragments ? { fragments: fragments.map(insideFragment) } : {}),
  };
}

function restoredNode(node: BlockNode | InlineContent): (BlockNode | InlineContent)[] {
  if (node.object === 'block') return restoredBlock(node);
  if (node.object === 'text' || !node.fragments) return [node];
  return [{ ...node, fragments: node.fragments.map(insideFragment) }];
}

const insideFragment = (fragment: FragmentNode): FragmentNode => ({
  ...fragment,
  nodes: restored(fragment.nodes),
});

/** A list of parts as the container that it was. Items that a client added are parts too. */
function container(
  list: BlockNode,
  { nodes: _nodes, fragments: _fragments, ...shell }: BlockNode,
): BlockNode {
  const items: readonly Substitute[] = blocksOf(list);
  if (HOLDERS.has(shell.type)) return { ...shell, nodes: items.flatMap((item) => restored(blocksOf(item))) };
  if (shell.type === 'expandable') return { ...shell, fragments: expandableParts(items) };
  return { ...shell, nodes: items.map((item) => part(item, PART_OF[shell.type] ?? '')) };
}

function part(item: Substitute, type: string): BlockNode {
  const { original } = item;
  const shell: BlockNode =
    isBlock(original) && original.type === type ? original : { object: 'block', type, data: {} };
  const content: readonly Substitute[] = blocksOf(item);
  const shown = content.find(({ title }) => title === true);
  const title = shown && textOfInlines(inlinesOf(shown));
  const isRenamed = title !== undefined && title !== titleOf(shell);
  const data = isRenamed ? { data: { ...shell.data, title } } : {};
  return { ...shell, ...data, nodes: restored(content) };
}

function expandableParts(items: readonly Substitute[]): FragmentNode[] {
  const isTitle = ({ original }: Substitute): boolean =>
    isObject(original) && original['fragment'] === 'expandable-title';
  const fragment = (name: string, parts: readonly Substitute[]): FragmentNode => {
    const key = parts[0]?.key;
    const nodes = parts.flatMap((one) => restored(blocksOf(one)));
    return { object: 'fragment', ...(key === undefined ? {} : { key }), fragment: name, type: name, nodes };
  };
  return [
    fragment('expandable-title', items.filter(isTitle)),
    fragment(
      'expandable-body',
      items.filter((item) => !isTitle(item)),
    ),
  ];
}
