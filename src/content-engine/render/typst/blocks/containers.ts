import {
  expandableBody,
  expandableTitle,
  textOfInlines,
  type BlockNode,
  type ColumnBlock,
  type ColumnsBlock,
  type ConditionBlock,
  type ExpandableBlock,
  type HintBlock,
  type PromptBlock,
  type ReusableContentBlock,
  type StepperBlock,
  type TabsBlock,
  type UpdatesBlock,
} from '../../../document/index.ts';
import { inlines } from '../inlines.ts';
import { describe } from '../links.ts';
import { literal, words } from '../literal.ts';
import { BookTooLong, inside, type Context, type Typesetter } from '../context.ts';

/** Blocks that hold blocks. */

const content = (context: Context, { nodes = [] }: { nodes?: BlockNode[] }, mark = ''): string =>
  context.blocks(inside(context, mark), nodes);

const target = (context: Context, block: BlockNode, title: string): string => {
  const label = context.labels.place(block);
  if (label === undefined) return 'none';
  context.addPlace({ label, title });
  return `<${label}>`;
};

export const hint: Typesetter<HintBlock> = (context, block) => {
  const style = literal(block.data?.style ?? 'info');
  return `#hint(${style})[${content(context, block, `#sign(${style})`)}]`;
};

/** On paper, tabs follow each other. */
export const tabs: Typesetter<TabsBlock> = (context, { nodes = [] }) => {
  const parts = nodes.map((tab, index) => {
    const title = tab.data?.title ?? `Tab ${index + 1}`;
    return `(${target(context, tab, title)}, [${words(title)}], [${content(context, tab)}])`;
  });
  return parts.length === 0 ? '' : `#tabs(${parts.join(', ')},)`;
};

export const stepper: Typesetter<StepperBlock> = (context, { nodes = [] }) => {
  const parts = nodes.map((step, index) => `[${content(context, step, `#step(${index + 1})`)}]`);
  return parts.length === 0 ? '' : `#steps(${parts.join(', ')})`;
};

export const expandable: Typesetter<ExpandableBlock> = (context, block) => {
  const [title] = expandableTitle(block);
  const summary = inlines(context, title?.nodes);
  const body = context.blocks(inside(context), expandableBody(block));
  const at = target(context, block, textOfInlines(title?.nodes));
  return `#expandable(${at}, [${summary}])[${body}]`;
};

export const columns: Typesetter<ColumnsBlock> = (context, { nodes = [] }) => {
  if (nodes.length === 0) return '';
  const cells = nodes.map((column) => {
    const vertical = column.data?.verticalAlignment;
    const align = vertical === 'middle' ? 'horizon' : vertical === 'bottom' ? 'bottom' : 'top';
    return `grid.cell(align: ${align})[${content(context, column)}]`;
  });
  return `#grid(columns: (${nodes.map(shareOf).join(', ')},), column-gutter: 1.6em, ${cells.join(', ')})`;
};

/** The share of the width that a column has. Only percentages can be compared. */
function shareOf({ data }: ColumnBlock): string {
  const width = data?.width;
  const percent = typeof width === 'object' && width.unit === '%' ? width.value : Number.NaN;
  return percent >= 5 && percent <= 95 ? `${percent}fr` : '50fr';
}

export const updates: Typesetter<UpdatesBlock> = (context, { nodes = [] }) =>
  nodes
    .map((update) => {
      const date = words((update.data?.date ?? '').slice(0, 10));
      const names = (update.data?.tags ?? []).map(
        (tag) => `#chip[${words(describe(context, tag).title ?? tag.tag)}]`,
      );
      return `#update([${date}], [${names.join('')}])[${content(context, update)}]`;
    })
    .join('\n');

/** A condition that was not evaluated: its content is shown. */
export const condition: Typesetter<ConditionBlock> = (context, { nodes = [] }) =>
  context.blocks(context, nodes);

export const prompt: Typesetter<PromptBlock> = (context, block) =>
  `#framed[${words(block.data?.description ?? '')}][${content(context, block)}]`;

/** Even an empty content costs time. */
const MIN_INCLUDED = 200;

export const reusableContent: Typesetter<ReusableContentBlock> = (context, { data }) => {
  const id = data.ref.reusableContent;
  const document = context.book.reusableContents?.get(id);
  if (!document || context.within.includes(id)) return '';
  const included = context.blocks({ ...context, within: [...context.within, id] }, document.nodes);
  context.room.included -= Math.max(included.length, MIN_INCLUDED);
  if (context.room.included < 0) throw new BookTooLong();
  return included;
};
