import {
  blocksOf,
  inlinesOf,
  plainTextNode,
  stringOf,
  type BlockNode,
  type FragmentNode,
  type InlineContent,
} from '../nodes.ts';
import { fragmentBlocks } from '../../markdown/blocks/kind.ts';
import { plainText, textOfInlines } from '../text.ts';

/**
 * A block that the schema allows, in place of one that it does not allow there. The schema permits additional members:
 * these restore the original block when the document is sent back.
 */
export interface Substitute extends BlockNode {
  /** A list whose only item holds the block. */
  nested?: true;
  /** On a list or an item: the replaced block without its content. On a paragraph: the whole block. */
  original?: Original;
  /** A paragraph that shows the title of a part. */
  title?: true;
}

/** Whole or without its content. */
export type Original = BlockNode | (Omit<FragmentNode, 'nodes'> & { readonly data?: undefined });

/** Containers whose parts are blocks of this type. */
export const PART_OF: Readonly<Record<string, string>> = {
  tabs: 'tabs-item',
  stepper: 'stepper-step',
  columns: 'column',
  updates: 'update',
};

/** Containers that hold blocks directly. */
export const HOLDERS: ReadonlySet<string> = new Set(['if', 'prompt']);

export const isContainer = ({ type }: BlockNode): boolean =>
  type === 'expandable' || type in PART_OF || HOLDERS.has(type);

/** The title of a tab, which is not among its blocks. */
export const titleOf = ({ type, data }: Original): string | undefined =>
  type === 'tabs-item' ? stringOf(data, 'title') : undefined;

/** A paragraph in the place of a block: what it shows or leads to, or else its text. */
export function paragraphFor(block: BlockNode): BlockNode {
  const paragraph: BlockNode = { object: 'block', type: 'paragraph', nodes: inlinesFor(block) };
  return block.key === undefined ? paragraph : { ...paragraph, key: block.key };
}

function inlinesFor(block: BlockNode): InlineContent[] {
  const { type, data = {} } = block;
  if (type === 'images') return blocksOf(block).map(inlineImage);
  const url = stringOf(data, 'url');
  if (url !== undefined) return [link(url)];
  if (data['ref'] !== undefined)
    return [{ object: 'inline', type: 'mention', data: { ref: data['ref'] }, isVoid: true }];
  if (type === 'integration')
    return [plainTextNode(`${String(data['integration'])}/${String(data['block'])}`)];
  return [plainTextNode(plainText({ object: 'document', data: {}, nodes: [block] }))];
}

const link = (url: string): InlineContent => ({
  object: 'inline',
  type: 'link',
  data: { ref: { kind: 'url', url } },
  nodes: [plainTextNode(url)],
});

function inlineImage(image: BlockNode): InlineContent {
  const { ref, refDark, alt } = image.data ?? {};
  const caption = fragmentBlocks(image, 'caption')
    .map((paragraph) => textOfInlines(inlinesOf(paragraph)))
    .join('\n');
  const data = {
    ref,
    ...(refDark === undefined ? {} : { refDark }),
    ...(alt === undefined ? {} : { alt }),
    ...(caption === '' ? {} : { caption }),
  };
  return { object: 'inline', type: 'inline-image', data, isVoid: true };
}
