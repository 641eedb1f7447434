import { fingerprint } from '../canonical/canonical.ts';
import { checkDocument } from '../check/check-document.ts';
import { isObject } from '../check/shape.ts';
import { EXPANDABLE_BODY, EXPANDABLE_TITLE } from '../fragments.ts';
import type {
  BlockNode,
  FragmentNode,
  InlineContent,
  JSONDocument,
  ListItemBlock,
  UnorderedListBlock,
} from '../nodes.ts';
import { textOfInlines } from '../extract/text.ts';
import { childBlocks, withContent } from '../walk.ts';
import { isContainer, paragraphFor, PART_OF, type ContainerBlock, type Substitute } from './substitute.ts';

/**
 * Converts a checked document from published form back, with the edits of the client. The result is not typed as a
 * document: a client can forge the originals that the published form carries, so `checkDocument` comes after it again.
 */
export const fromPublishedForm = (document: JSONDocument): object => ({
  ...document,
  nodes: restored(document.nodes),
});

const restored = (blocks: readonly Substitute[]): BlockNode[] => blocks.flatMap(restoredBlock);

const restoredItems = (items: readonly ListItemBlock[]): BlockNode[] =>
  items.flatMap((item) => restored(item.nodes ?? []));

function restoredBlock(block: Substitute): BlockNode[] {
  const { nested, original, title, ...plain } = block;
  if (plain.type === 'paragraph') {
    if (title === true) return [];
    return [unchangedOriginal(plain, original) ?? inside(plain)];
  }
  if (plain.type === 'list-unordered') {
    if (nested === true) return restoredItems(plain.nodes ?? []);
    if (isBlock(original) && isContainer(original)) return [container(plain, original)];
  }
  return [inside(plain)];
}

const isBlock = (value: unknown): value is BlockNode =>
  isObject(value) && value['object'] === 'block' && typeof value['type'] === 'string';

/** The block that a paragraph replaced, unless the paragraph was edited: then it is an ordinary one. */
function unchangedOriginal(paragraph: BlockNode, original: unknown): BlockNode | undefined {
  if (original === undefined) return undefined;
  const checked = checkDocument({ object: 'document', nodes: [original] });
  const [block] = 'document' in checked ? checked.document.nodes : [];
  return block && fingerprint(paragraph) === fingerprint(paragraphFor(block)) ? block : undefined;
}

function inside(block: BlockNode): BlockNode {
  const { nodes, fragments } = block;
  if (!nodes && !fragments) return block;
  return withContent(block, {
    ...(nodes ? { nodes: nodes.flatMap(restoredNode) } : {}),
    ...(fragments ? { fragments: fragments.map(insideFragment) } : {}),
  });
}

function restoredNode(node: BlockNode | InlineContent): (BlockNode | InlineContent)[] {
  if (node.object === 'block') return restoredBlock(node);
  if (node.object === 'text' || !node.fragments) return [node];
  return [withContent(node, { fragments: node.fragments.map(insideFragment) })];
}

const insideFragment = (fragment: FragmentNode): FragmentNode => ({
  ...fragment,
  nodes: restored(fragment.nodes),
});

/** A list of parts as the container that it was. Items that a client added become parts too. */
function container({ nodes: items = [] }: UnorderedListBlock, original: ContainerBlock): BlockNode {
  const { nodes: _nodes, fragments: _fragments, ...shell } = original;
  switch (shell.type) {
    case 'if':
    case 'prompt':
      return { ...shell, nodes: restoredItems(items) };
    case 'expandable':
      return { ...shell, fragments: expandableParts(items) };
    case 'tabs':
    case 'stepper':
    case 'columns':
    case 'updates':
      return withContent(shell, { nodes: items.map((item) => part(item, PART_OF[shell.type])) });
  }
}

function part(item: Substitute, type: (typeof PART_OF)[keyof typeof PART_OF]): BlockNode {
  const { original } = item;
  const shell: BlockNode =
    isBlock(original) && original.type === type ? original : { object: 'block', type, data: {} };
  const content: readonly Substitute[] = childBlocks(item);
  const shown = content.find(({ title }) => title === true);
  const nodes = restored(content);
  if (shell.type !== 'tabs-item' || shown?.type !== 'paragraph') return withContent(shell, { nodes });
  return { ...shell, data: { ...shell.data, title: textOfInlines(shown.nodes) }, nodes };
}

function expandableParts(items: readonly Substitute[]): FragmentNode[] {
  const isTitle = ({ original }: Substitute): boolean =>
    isObject(original) && original['fragment'] === EXPANDABLE_TITLE;
  const fragment = (name: string, parts: readonly Substitute[]): FragmentNode => {
    const key = parts[0]?.key;
    const nodes = parts.flatMap((one) => restored(childBlocks(one)));
    return { object: 'fragment', ...(key === undefined ? {} : { key }), fragment: name, type: name, nodes };
  };
  return [
    fragment(EXPANDABLE_TITLE, items.filter(isTitle)),
    fragment(
      EXPANDABLE_BODY,
      items.filter((item) => !isTitle(item)),
    ),
  ];
}
