import {
  headingLevel,
  isTight,
  ownText,
  type Alignment,
  type DividerBlock,
  type HeadingBlock,
  type ListBlock,
  type ListItemBlock,
  type MathBlock,
  type OrderedListBlock,
  type ParagraphBlock,
  type QuoteBlock,
  type TaskListBlock,
  type UnorderedListBlock,
} from '../../../document/index.ts';
import { inlines, opened } from '../inlines.ts';
import { formula } from '../math/index.ts';
import { inside, type Context, type Typesetter } from '../context.ts';

/** Paragraphs, headings, lists and other blocks that are mostly text. */

function aligned(align: Alignment | undefined, content: string): string {
  if (align === undefined || align === 'start') return content;
  return `#align(${align === 'end' ? 'right' : 'center'})[${content}]`;
}

export const paragraph: Typesetter<ParagraphBlock> = (context, { data, nodes }) => {
  const content = inlines(context, nodes);
  return content === '' ? '' : aligned(data?.align, `#par[${context.mark}${content}]`);
};

/** The title of a page is one level above its first headings; the headings of nested pages continue from there. */
export const heading: Typesetter<HeadingBlock> = (context, block) => {
  const size = headingLevel(block);
  const content = inlines(context, block.nodes);
  if (content === '') return '';
  const label = context.labels.place(block) ?? context.labels.next();
  const level = context.page.depth + 1 + size;
  const inContents = context.sectionsInContents && context.depth === 0;
  context.addPlace({ label, title: ownText(block) ?? '', level, inContents });
  return aligned(block.data?.align, `#section(${size}, ${level}, <${label}>, [${context.mark}])[${content}]`);
};

const item = (context: Context, { nodes = [] }: ListItemBlock): string => opened(context, nodes);

const items = (context: Context, { nodes = [] }: ListBlock): string =>
  nodes.map((one) => `[${item(inside(context), one)}]`).join(', ');

export const bullets: Typesetter<UnorderedListBlock> = (context, block) =>
  `#list(tight: ${isTight(block)}, ${items(context, block)})`;

export const numbers: Typesetter<OrderedListBlock> = (context, block) =>
  `#enum(tight: ${isTight(block)}, start: ${block.data?.start ?? 1}, ${items(context, block)})`;

export const tasks: Typesetter<TaskListBlock> = (context, { nodes = [] }) => {
  const all = nodes.map((one) => `(${one.data?.checked === true}, [${item(inside(context), one)}])`);
  return `#tasks(${all.join(', ')})`;
};

export const quote: Typesetter<QuoteBlock> = (context, { nodes = [] }) =>
  `#quote(block: true)[${context.blocks(inside(context), nodes)}]`;

export const divider: Typesetter<DividerBlock> = () => '#divider';

export const math: Typesetter<MathBlock> = (_context, { data }) => formula(data.formula, true);
