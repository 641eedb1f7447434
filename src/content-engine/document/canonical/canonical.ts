import { describe } from '../blocks/index.ts';
import { canonicalTable } from './canonical-table.ts';
import { expandableBody, expandableTitle } from '../fragments.ts';
import { isEmpty } from '../text-blocks.ts';
import type {
  BlockNode,
  FragmentNode,
  InlineContent,
  InlineNode,
  JSONDocument,
  Leaf,
  Mark,
} from '../nodes.ts';
import { omitEmptyText, sorted } from './sorted.ts';
import { childBlocks } from '../walk.ts';

/**
 * The canonical form of a block as text, equal for blocks with equal meaning: without keys, anchors that follow from the
 * text, ids inside tables, empty paragraphs, and the division of text into leaves.
 */
export const fingerprint = (block: BlockNode): string => JSON.stringify(canonical(block));

export const sameDocument = (one: JSONDocument, other: JSONDocument): boolean =>
  JSON.stringify(canonicalBlocks(one.nodes)) === JSON.stringify(canonicalBlocks(other.nodes));

export const canonicalBlocks = (blocks: readonly BlockNode[]): unknown[] =>
  blocks.filter((block) => !isEmpty(block)).map(canonical);

function canonical(block: BlockNode): unknown {
  const { type } = block;
  if (type === 'table') return canonicalTable(block, canonicalBlocks);
  const data = sorted(meaningfulData(block));
  if (type === 'expandable') {
    const [title] = expandableTitle(block);
    return { type, data, title: inlines(title?.nodes ?? []), body: canonicalBlocks(expandableBody(block)) };
  }
  return { type, data, nodes: content(block), fragments: canonicalFragments(block.fragments) };
}

function content(block: BlockNode): unknown[] {
  const nodes: readonly (BlockNode | InlineContent)[] = block.nodes ?? [];
  const texts = nodes.filter((node) => node.object !== 'block');
  return texts.length > 0 ? inlines(texts) : canonicalBlocks(childBlocks(block));
}

const canonicalFragments = (fragments: readonly FragmentNode[] = []): unknown[] =>
  fragments
    .map((fragment) => ({ name: fragment.fragment ?? fragment.type, nodes: canonicalBlocks(fragment.nodes) }))
    .filter((fragment) => fragment.nodes.length > 0);

/** The data without members that mean the same as their absence. */
function meaningfulData({ type, data = {} }: BlockNode): object {
  const { meaningful } = describe(type);
  if (meaningful) return meaningful(data);
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== false));
}

type CanonicalInline =
  | { text: string; marks: unknown }
  | { type: string; data: unknown; nodes: unknown; fragments: unknown };

function inlines(nodes: readonly InlineContent[]): CanonicalInline[] {
  const out: CanonicalInline[] = [];
  for (const node of nodes) {
    if (node.object === 'inline') out.push(canonicalInline(node));
    else for (const leaf of node.leaves) addLeaf(out, leaf);
  }
  return out;
}

function addLeaf(out: CanonicalInline[], leaf: Leaf): void {
  if (leaf.text === '') return;
  const marks = JSON.stringify(leaf.marks.map(markName).toSorted());
  const last = out.at(-1);
  if (last && 'text' in last && last.marks === marks) last.text += leaf.text;
  else out.push({ text: leaf.text, marks });
}

const markName = (mark: Mark): string =>
  mark.data ? `${mark.type} ${mark.data.text} ${mark.data.background}` : mark.type;

const canonicalInline = (node: InlineNode): CanonicalInline => ({
  type: node.type,
  data: sorted(
    node.type === 'inline-image' ? omitEmptyText(node.data, ['alt', 'caption']) : (node.data ?? {}),
  ),
  nodes: inlines(node.nodes ?? []),
  fragments: canonicalFragments(node.fragments),
});
