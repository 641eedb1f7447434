import { describe } from '../blocks/index.ts';
import { documentOfBlocks, plainTextNode } from '../create.ts';
import { imageCaption } from '../fragments.ts';
import type {
  BlockNode,
  ColumnsBlock,
  ConditionBlock,
  ContentRef,
  ExpandableBlock,
  ImageBlock,
  InlineContent,
  ParagraphBlock,
  PromptBlock,
  StepperBlock,
  TabsBlock,
  UpdatesBlock,
} from '../nodes.ts';
import { plainText, textOfInlines } from '../extract/text.ts';

/**
 * A block that the published schema allows, in place of one that it does not allow there. The schema permits additional
 * members: these restore the original block when the document is sent back.
 */
export type Substitute = BlockNode & {
  /** A list whose only item holds the block. */
  nested?: true;
  /** On a list or an item: the replaced node without its content. On a paragraph: the whole block. Clients can forge it. */
  original?: unknown;
  /** A paragraph that shows the title of a part. */
  title?: true;
};

type ListOfParts = TabsBlock | StepperBlock | ColumnsBlock | UpdatesBlock;
export type ContainerBlock = ListOfParts | ConditionBlock | PromptBlock | ExpandableBlock;

/** The type of the parts of each list of parts. */
export const PART_OF = {
  tabs: 'tabs-item',
  stepper: 'stepper-step',
  columns: 'column',
  updates: 'update',
} as const satisfies Record<ListOfParts['type'], BlockNode['type']>;

export const isContainer = (block: BlockNode): block is ContainerBlock =>
  block.type === 'expandable' ||
  block.type === 'if' ||
  block.type === 'prompt' ||
  Object.hasOwn(PART_OF, block.type);

/** A paragraph in place of a block: what the block shows or leads to, else its text. */
export function paragraphFor(block: BlockNode): ParagraphBlock {
  const paragraph: ParagraphBlock = { object: 'block', type: 'paragraph', nodes: inlinesFor(block) };
  return block.key === undefined ? paragraph : { ...paragraph, key: block.key };
}

function inlinesFor(block: BlockNode): InlineContent[] {
  if (block.type === 'images') return (block.nodes ?? []).map(inlineImage);
  const shown = describe(block.type).shows?.(block.data ?? {});
  if (!shown) return [plainTextNode(plainText(documentOfBlocks([block])))];
  if ('url' in shown) return [link(shown.url)];
  return ['ref' in shown ? mention(shown.ref) : plainTextNode(shown.text)];
}

const mention = (ref: ContentRef): InlineContent => ({
  object: 'inline',
  type: 'mention',
  data: { ref },
  isVoid: true,
});

const link = (url: string): InlineContent => ({
  object: 'inline',
  type: 'link',
  data: { ref: { kind: 'url', url } },
  nodes: [plainTextNode(url)],
});

function inlineImage(image: ImageBlock): InlineContent {
  const { ref, refDark, alt } = image.data;
  const caption = imageCaption(image)
    .map((paragraph) => textOfInlines(paragraph.nodes))
    .join('\n');
  const data = {
    ref,
    ...(refDark === undefined ? {} : { refDark }),
    ...(alt === undefined ? {} : { alt }),
    ...(caption === '' ? {} : { caption }),
  };
  return { object: 'inline', type: 'inline-image', data, isVoid: true };
}
