import {
  childBlocks,
  EXPANDABLE_BODY,
  expandableBody,
  fingerprint,
  isNamed,
  plainTextNode,
  withContent,
  type BlockNode,
  type ExpandableBlock,
} from '../../document/index.ts';

/** Containers without their content: the marker or tag, and the summary of an expandable. */

export const contentOf = (block: BlockNode): BlockNode[] =>
  block.type === 'expandable' ? expandableBody(block) : childBlocks(block);

/** Code and images hold blocks, but are edited as one text. */
export const holdsBlocks = (block: BlockNode): boolean =>
  block.type !== 'code' && block.type !== 'images' && contentOf(block).length > 0;

export const replaceContent = (block: BlockNode, nodes: BlockNode[]): BlockNode =>
  block.type === 'expandable' ? replaceBody(block, nodes) : withContent(block, { nodes });

function replaceBody({ fragments = [], ...block }: ExpandableBlock, nodes: BlockNode[]): BlockNode {
  const others = fragments.filter((fragment) => !isNamed(fragment, EXPANDABLE_BODY));
  return { ...block, fragments: [...others, { object: 'fragment', fragment: EXPANDABLE_BODY, nodes }] };
}

/** Whether two containers are equal apart from their content. */
export const hasSameWrapper = (one: BlockNode, other: BlockNode): boolean =>
  one.type === other.type && fingerprint(replaceContent(one, [])) === fingerprint(replaceContent(other, []));

/** A noncharacter as placeholder of the content. */
const CONTENT = '\uFDD0';

export interface Wrapper {
  readonly head: string;
  readonly summary: string;
}

/** The text before the content. Undefined where it cannot be separated from the content. */
export function wrapperOf(block: BlockNode, write: (block: BlockNode) => string): Wrapper | undefined {
  const inside: BlockNode = { object: 'block', type: 'paragraph', nodes: [plainTextNode(CONTENT)] };
  const [before = '', ...more] = write(replaceContent(block, [inside])).split(CONTENT);
  if (more.length !== 1) return undefined;
  const at = block.type === 'expandable' ? before.indexOf('<summary>') : -1;
  return at < 0
    ? { head: before, summary: '' }
    : { head: before.slice(0, at), summary: before.slice(at).trimEnd() };
}
