import { fingerprint } from '../../document/canonical.ts';
import { blocksOf, plainTextNode, type BlockNode, type FragmentNode } from '../../document/nodes.ts';

/** A container without what it holds: its marker or tag, and the summary of an expandable. */

const BODY = 'expandable-body';
const isBody = (part: FragmentNode): boolean => part.fragment === BODY || part.type === BODY;

export const contentOf = (block: BlockNode): BlockNode[] =>
  block.type === 'expandable' ? (block.fragments?.find(isBody)?.nodes ?? []) : blocksOf(block);

/** Lines of code and images stand in a block that is one piece of text all the same. */
const IN_ONE_PIECE = new Set(['code', 'images']);

export const holdsBlocks = (block: BlockNode): boolean =>
  !IN_ONE_PIECE.has(block.type) && contentOf(block).some(({ object }) => object === 'block');

export function withContent(block: BlockNode, nodes: BlockNode[]): BlockNode {
  if (block.type !== 'expandable') return { ...block, nodes };
  const others = (block.fragments ?? []).filter((part) => !isBody(part));
  return { ...block, fragments: [...others, { object: 'fragment', fragment: BODY, nodes }] };
}

/** Whether two containers differ at most in what they hold. */
export const sameShell = (one: BlockNode, other: BlockNode): boolean =>
  one.type === other.type && fingerprint(withContent(one, [])) === fingerprint(withContent(other, []));

/** A character that is in no text, in the place of the content. */
const CONTENT = '\uFDD0';

export interface Shell {
  readonly head: string;
  readonly summary: string;
}

/** What stands before the content. Undefined: that cannot be told. */
export function shellOf(block: BlockNode, write: (block: BlockNode) => string): Shell | undefined {
  const inside: BlockNode = { object: 'block', type: 'paragraph', nodes: [plainTextNode(CONTENT)] };
  const [before = '', ...more] = write(withContent(block, [inside])).split(CONTENT);
  if (more.length !== 1) return undefined;
  const at = block.type === 'expandable' ? before.indexOf('<summary>') : -1;
  return at < 0
    ? { head: before, summary: '' }
    : { head: before.slice(0, at), summary: before.slice(at).trimEnd() };
}
