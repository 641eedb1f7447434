import type {
  BlockNode,
  EmbedBlock,
  ExpandableBlock,
  FileBlock,
  FragmentNode,
  ImageBlock,
  ParagraphBlock,
} from './nodes.ts';

/** Published documents name a fragment by `fragment`, by `type`, or by both. */
export const isNamed = ({ fragment, type }: FragmentNode, name: string): boolean =>
  fragment === name || type === name;

const blocksIn = ({ fragments = [] }: BlockNode, name: string): BlockNode[] =>
  fragments.filter((fragment) => isNamed(fragment, name)).flatMap(({ nodes }) => nodes);

const isParagraph = (block: BlockNode): block is ParagraphBlock => block.type === 'paragraph';

export const imageCaption = (image: ImageBlock): ParagraphBlock[] =>
  blocksIn(image, 'caption').filter(isParagraph);

export const captionOf = (block: FileBlock | EmbedBlock): BlockNode[] => blocksIn(block, 'caption');

export const EXPANDABLE_TITLE = 'expandable-title';
export const EXPANDABLE_BODY = 'expandable-body';

export const expandableTitle = (block: ExpandableBlock): ParagraphBlock[] =>
  blocksIn(block, EXPANDABLE_TITLE).filter(isParagraph);

export const expandableBody = (block: ExpandableBlock): BlockNode[] => blocksIn(block, EXPANDABLE_BODY);
