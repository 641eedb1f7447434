import type { BlockDescription } from './blocks/block.ts';
import type { BLOCKS } from './blocks/index.ts';
import type { COLORS, INLINES, PLAIN_MARKS } from './check/inlines.ts';
import type { NodeShape } from './check/node.ts';

/**
 * Document JSON of the public API as a discriminated union: `object` and `type` decide which members a node has.
 * Optional members are those that a client may leave out; `check/` enforces the same shapes on documents that are sent.
 * `key`, `isVoid` and `meta` of a sent document are not checked: the engine compares keys and derives the others.
 */

export type { Length } from './blocks/block.ts';
export type { ContentRef, ImageRef, RefOf } from './refs.ts';

export type Alignment = 'start' | 'center' | 'end';

// Text

export type Color = (typeof COLORS)[number];

export type PlainMark = (typeof PLAIN_MARKS)[number];

export type Mark =
  | { object: 'mark'; type: PlainMark; data?: undefined }
  | { object: 'mark'; type: 'color'; data: { text: Color; background: Color } };

export interface Leaf {
  object: 'leaf';
  text: string;
  marks: Mark[];
}

export interface TextNode {
  object: 'text';
  key?: string;
  leaves: Leaf[];
}

// Inlines

export type InlineType = keyof typeof INLINES;

type InlineData<Type extends InlineType> =
  (typeof INLINES)[Type] extends NodeShape<infer Data> ? (unknown extends Data ? object : Data) : never;

interface Inline<Type extends InlineType> {
  object: 'inline';
  type: Type;
  key?: string;
  isVoid?: boolean;
  nodes?: HeldBy<(typeof INLINES)[Type]['holds']>[];
  fragments?: FragmentNode[];
}

/** An inline as its shape in `check/inlines.ts` has it. */
export type InlineOf<Type extends InlineType> = {
  [Each in Type]: Inline<Each> & OptionalIfEmpty<InlineData<Each>>;
}[Type];
export type InlineNode = InlineOf<InlineType>;

export type LinkInline = InlineOf<'link'>;
export type AnnotationInline = InlineOf<'annotation'>;
export type ImageInline = InlineOf<'inline-image'>;
export type ButtonInline = InlineOf<'button'>;
export type ButtonData = InlineData<'button'>;
export type InlineContent = TextNode | InlineNode;

// Blocks

export type BlockType = keyof typeof BLOCKS;

type DescriptionOf<Type extends BlockType> = (typeof BLOCKS)[Type];
type DataOf<Type extends BlockType> = DescriptionOf<Type> extends BlockDescription<infer Data> ? Data : never;

/** Nodes that hold no blocks or text may have an empty text: editors add it. */
type HeldBy<Holds> = Holds extends 'nothing' | 'texts'
  ? TextNode
  : Holds extends 'blocks'
    ? BlockNode
    : Holds extends readonly (infer Name)[]
      ? Name extends BlockType
        ? BlockOf<Name>
        : InlineContent
      : InlineContent;

interface Block<Type extends BlockType> {
  object: 'block';
  type: Type;
  key?: string;
  isVoid?: boolean;
  meta?: { id?: string; token?: string };
  nodes?: HeldBy<DescriptionOf<Type>['holds']>[];
  fragments?: FragmentNode[];
}
type OptionalIfEmpty<Data> = object extends Data ? { data?: Data } : { data: Data };

/** A block as its description in `blocks/` has it. */
export type BlockOf<Type extends BlockType> = {
  [Each in Type]: Block<Each> & OptionalIfEmpty<DataOf<Each>>;
}[Type];
export type BlockNode = BlockOf<BlockType>;

export type ParagraphBlock = BlockOf<'paragraph'>;
export type HeadingType = 'heading-1' | 'heading-2' | 'heading-3';
export type HeadingBlock = BlockOf<HeadingType>;
export type ListItemBlock = BlockOf<'list-item'>;
export type OrderedListBlock = BlockOf<'list-ordered'>;
export type UnorderedListBlock = BlockOf<'list-unordered'>;
export type TaskListBlock = BlockOf<'list-tasks'>;
export type ListBlock = OrderedListBlock | UnorderedListBlock | TaskListBlock;
export type QuoteBlock = BlockOf<'blockquote'>;
export type DividerBlock = BlockOf<'divider'>;
export type MathBlock = BlockOf<'math'>;
export type CodeLineBlock = BlockOf<'code-line'>;
export type CodeBlock = BlockOf<'code'>;
export type CodeData = DataOf<'code'>;
export type HintBlock = BlockOf<'hint'>;
export type ConditionBlock = BlockOf<'if'>;
export type PromptBlock = BlockOf<'prompt'>;
export type TabBlock = BlockOf<'tabs-item'>;
export type TabsBlock = BlockOf<'tabs'>;
export type StepBlock = BlockOf<'stepper-step'>;
export type StepperBlock = BlockOf<'stepper'>;
export type ColumnBlock = BlockOf<'column'>;
export type ColumnsBlock = BlockOf<'columns'>;
export type UpdateBlock = BlockOf<'update'>;
export type UpdatesBlock = BlockOf<'updates'>;
export type ExpandableBlock = BlockOf<'expandable'>;
export type ImageBlock = BlockOf<'image'>;
export type ImageData = DataOf<'image'>;
export type ImagesBlock = BlockOf<'images'>;
export type FileBlock = BlockOf<'file'>;
export type DrawingBlock = BlockOf<'drawing'>;
export type EmbedBlock = BlockOf<'embed'>;
export type ContentRefBlock = BlockOf<'content-ref'>;
export type ReusableContentBlock = BlockOf<'reusable-content'>;
export type IntegrationBlock = BlockOf<'integration'>;
export type IntegrationData = DataOf<'integration'>;
export type TableBlock = BlockOf<'table'>;

export interface FragmentNode {
  object: 'fragment';
  key?: string;
  /** The name of the fragment; published documents have it here, in `type`, or in both. */
  fragment?: string;
  type?: string;
  nodes: BlockNode[];
}

export interface JSONDocument {
  object: 'document';
  data?: Record<string, unknown>;
  nodes: BlockNode[];
}

/** A node inside of a document. */
export type ChildNode = BlockNode | InlineContent | FragmentNode;
export type AnyNode = ChildNode | JSONDocument;
