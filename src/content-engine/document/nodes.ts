import type { ContentRef } from '../tree/index.ts';
import type { CardsView, GridView, TableColumn, TableRecord, VerticalAlignment } from './table-types.ts';

/**
 * Document JSON of the public API as a discriminated union: `object` and `type` decide which members a node has.
 * Optional members are those that a client may leave out; `check/` enforces the same shapes on documents that are sent.
 * `key`, `isVoid` and `meta` of a sent document are not checked: the engine compares keys and derives the others.
 */

export type { ContentRef } from '../tree/index.ts';

export type RefOf<Kind extends ContentRef['kind']> = Extract<ContentRef, { kind: Kind }>;
export type ImageRef = RefOf<'file' | 'url'>;

export type Alignment = 'start' | 'center' | 'end';
export type Length = number | { unit: string; value: number };

// Text

export const COLORS = [
  'default',
  'green',
  'blue',
  'red',
  'orange',
  'yellow',
  'purple',
  '$primary',
  '$info',
  '$success',
  '$warning',
  '$danger',
] as const;
export type Color = (typeof COLORS)[number];

export const PLAIN_MARKS = [
  'bold',
  'italic',
  'strikethrough',
  'superscript',
  'subscript',
  'keyboard',
  'code',
] as const;
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

interface Inline<Type extends string> {
  object: 'inline';
  type: Type;
  key?: string;
  isVoid?: boolean;
  fragments?: FragmentNode[];
}
/** Editors put an empty text into nodes that have no content. */
interface VoidInline<Type extends string, Data> extends Inline<Type> {
  data: Data;
  nodes?: TextNode[];
}

export interface LinkInline extends Inline<'link'> {
  data: { ref: ContentRef };
  nodes?: InlineContent[];
}
/** Text with a footnote, which is its fragment. */
export interface AnnotationInline extends Inline<'annotation'> {
  data?: object;
  nodes?: TextNode[];
}
export type ImageInline = VoidInline<
  'inline-image',
  { ref: ImageRef; refDark?: ImageRef; caption?: string; alt?: string; size?: 'original' | 'line' }
>;
export type EmojiInline = VoidInline<'emoji', { code: string }>;
export type IconInline = VoidInline<'icon', { icon: string }>;
export type ExpressionInline = VoidInline<'expression', { expression: string }>;
export type MathInline = VoidInline<'inline-math', { formula: string }>;
export type MentionInline = VoidInline<'mention', { ref: ContentRef }>;

/** A button leads somewhere (`ref`) or does something (`action`). */
export interface ButtonData {
  label: string;
  kind?: 'primary' | 'secondary';
  icon?: string;
  size?: 'small' | 'medium' | 'large';
  ref?: ContentRef;
  action?: { action: string; query?: string; slug?: string };
}
export type ButtonInline = VoidInline<'button', ButtonData>;

export type InlineNode =
  | LinkInline
  | AnnotationInline
  | ImageInline
  | EmojiInline
  | IconInline
  | ExpressionInline
  | MathInline
  | MentionInline
  | ButtonInline;

export type InlineType = InlineNode['type'];
export type InlineContent = TextNode | InlineNode;

// Blocks

interface Block<Type extends string> {
  object: 'block';
  type: Type;
  key?: string;
  isVoid?: boolean;
  meta?: { id?: string; token?: string };
  fragments?: FragmentNode[];
}
interface TextBlock<Type extends string, Data> extends Block<Type> {
  data?: Data;
  nodes?: InlineContent[];
}
interface Container<Type extends string, Data, Child = BlockNode> extends Block<Type> {
  data?: Data;
  nodes?: Child[];
}
interface VoidBlock<Type extends string, Data> extends Block<Type> {
  data: Data;
  nodes?: TextNode[];
}

export type ParagraphBlock = TextBlock<'paragraph', { align?: Alignment }>;

export type HeadingType = 'heading-1' | 'heading-2' | 'heading-3';
interface HeadingData {
  id?: string;
  align?: Alignment;
}
export type HeadingBlock =
  | TextBlock<'heading-1', HeadingData>
  | TextBlock<'heading-2', HeadingData>
  | TextBlock<'heading-3', HeadingData>;

export type ListItemBlock = Container<'list-item', { checked?: boolean }>;
export type OrderedListBlock = Container<'list-ordered', { start?: number }, ListItemBlock>;
export type UnorderedListBlock = Container<'list-unordered', object, ListItemBlock>;
export type TaskListBlock = Container<'list-tasks', object, ListItemBlock>;
export type ListBlock = OrderedListBlock | UnorderedListBlock | TaskListBlock;

export type QuoteBlock = Container<'blockquote', object>;
export interface DividerBlock extends Block<'divider'> {
  data?: object;
  nodes?: TextNode[];
}
export type MathBlock = VoidBlock<'math', { formula: string }>;

export type CodeLineBlock = TextBlock<'code-line', { highlighted?: boolean }>;
export interface CodeData {
  syntax?: string;
  title?: string;
  overflow?: 'scroll' | 'wrap';
  lineNumbers?: boolean;
  fullWidth?: boolean;
  expandable?: boolean;
  collapsedLineCount?: number;
  /** Source that is not understood, and is written back unchanged. */
  verbatim?: boolean;
}
export type CodeBlock = Container<'code', CodeData, CodeLineBlock>;

export type HintBlock = Container<
  'hint',
  { style?: 'info' | 'warning' | 'danger' | 'success'; icon?: string }
>;
export type ConditionBlock = Container<'if', { expression: string }> & { data: { expression: string } };
export type PromptBlock = Container<
  'prompt',
  {
    description?: string;
    icon?: string;
    openInAIProviders?: boolean;
    defaultExpanded?: 'hidden' | 'partial' | 'full';
  }
>;

export type TabBlock = Container<'tabs-item', { title?: string; icon?: string; slug?: string }>;
export type TabsBlock = Container<'tabs', { fullWidth?: boolean }, TabBlock>;
export type StepBlock = Container<'stepper-step', { icon?: string }>;
export type StepperBlock = Container<'stepper', object, StepBlock>;
export type ColumnBlock = Container<'column', { width?: Length; verticalAlignment?: VerticalAlignment }>;
export type ColumnsBlock = Container<'columns', { fullWidth?: boolean }, ColumnBlock>;
export type UpdateBlock = Container<'update', { date?: string; tags?: RefOf<'tag'>[] }>;
export type UpdatesBlock = Container<'updates', { format?: 'numeric' | 'full' | 'short' }, UpdateBlock>;

/** Fragments: `expandable-title` and `expandable-body`. */
export interface ExpandableBlock extends Block<'expandable'> {
  data?: { defaultExpanded?: boolean };
  nodes?: TextNode[];
}

export interface ImageData {
  ref: ImageRef;
  refDark?: ImageRef;
  width?: Length;
  height?: Length;
  alt?: string;
}
/** Fragments: `caption`. */
export type ImageBlock = VoidBlock<'image', ImageData>;
export type ImagesBlock = Container<
  'images',
  { align?: 'center' | 'left' | 'right'; fullWidth?: boolean; withFrame?: boolean },
  ImageBlock
>;
/** Fragments: `caption`. */
export type FileBlock = VoidBlock<'file', { ref: RefOf<'file'> }>;
export interface DrawingBlock extends Block<'drawing'> {
  data?: { ref?: RefOf<'file'> };
  nodes?: TextNode[];
}
/** Fragments: `caption`. */
export type EmbedBlock = VoidBlock<'embed', { url: string; fullWidth?: boolean }>;
export type ContentRefBlock = VoidBlock<'content-ref', { ref: ContentRef }>;
export type ReusableContentBlock = VoidBlock<'reusable-content', { ref: RefOf<'reusable-content'> }>;
export interface IntegrationData {
  integration: string;
  block: string;
  props?: Record<string, unknown>;
  action?: { action: string };
  url?: string;
  fullWidth?: boolean;
}
export type IntegrationBlock = VoidBlock<'integration', IntegrationData>;

export type SwaggerBlock = VoidBlock<
  'swagger',
  { ref: ImageRef; path: string; method: string; expanded?: boolean; fullWidth?: boolean }
>;
export type OpenAPIOperationBlock = VoidBlock<
  'openapi-operation',
  { ref: RefOf<'openapi'>; path: string; method: string }
>;
export type OpenAPIWebhookBlock = VoidBlock<
  'openapi-webhook',
  { ref: RefOf<'openapi'>; name: string; method: string }
>;
export type OpenAPISchemasBlock = VoidBlock<
  'openapi-schemas',
  { ref: RefOf<'openapi'>; schemas: string[]; grouped?: boolean }
>;

export interface TableData {
  view: GridView | CardsView;
  definition: Record<string, TableColumn>;
  records: Record<string, TableRecord>;
  fullWidth?: boolean;
  search?: boolean;
}
/** Fragments: the content of text cells, by the names that the values of the records have. */
export type TableBlock = VoidBlock<'table', TableData>;

export type BlockNode =
  | ParagraphBlock
  | HeadingBlock
  | ListBlock
  | ListItemBlock
  | QuoteBlock
  | DividerBlock
  | MathBlock
  | CodeBlock
  | CodeLineBlock
  | HintBlock
  | ConditionBlock
  | PromptBlock
  | TabsBlock
  | TabBlock
  | StepperBlock
  | StepBlock
  | ColumnsBlock
  | ColumnBlock
  | UpdatesBlock
  | UpdateBlock
  | ExpandableBlock
  | ImagesBlock
  | ImageBlock
  | FileBlock
  | DrawingBlock
  | EmbedBlock
  | ContentRefBlock
  | ReusableContentBlock
  | IntegrationBlock
  | SwaggerBlock
  | OpenAPIOperationBlock
  | OpenAPIWebhookBlock
  | OpenAPISchemasBlock
  | TableBlock;

export type BlockType = BlockNode['type'];
export type BlockOf<Type extends BlockType> = Extract<BlockNode, { type: Type }>;

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
