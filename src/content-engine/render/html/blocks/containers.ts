import {
  expandableBody,
  expandableTitle,
  type ColumnBlock,
  type ColumnsBlock,
  type ExpandableBlock,
  type HintBlock,
  type ReusableContentBlock,
  type StepperBlock,
} from '../../../document/index.ts';
import { apart, interactive, type Renderer } from '../context.ts';
import { icon } from '../inlines/icons.ts';
import { percentOf } from '../inlines/images.ts';
import { inlines } from '../inlines/inlines.ts';
import { element } from '../node.ts';

/** Blocks that hold blocks. */

export const hint: Renderer<HintBlock> = (context, { data, nodes = [] }) => {
  const style = data?.style ?? 'info';
  const own = data?.icon === undefined ? undefined : icon(context, data.icon);
  return element(
    'div',
    { class: 'hint', 'data-tone': style },
    own ?? icon(context, style),
    // The colour and the icon in words, for those who do not see them.
    element('span', { class: 'hidden' }, `${context.words[style]}: `),
    element('div', { class: 'flow' }, context.blocks(apart(context), nodes)),
  );
};

export const stepper: Renderer<StepperBlock> = (context, { nodes = [] }) =>
  element(
    'ol',
    { class: 'steps' },
    nodes.map((step) => () => element('li', {}, context.blocks(context, step.nodes ?? []))),
  );

/** The id is on the content: browsers open what contains the target of a fragment. */
export const expandable: Renderer<ExpandableBlock> = (context, block) => {
  const [title] = expandableTitle(block);
  const id = context.page.idOf(block.meta?.id, context.within.length > 0);
  const summary = inlines(interactive(context), title?.nodes);
  return element(
    'details',
    { class: 'expandable', open: block.data?.defaultExpanded === true },
    element('summary', {}, icon(context, 'next', 'flip'), element('span', {}, summary)),
    element('div', { class: 'flow', id }, context.blocks(apart(context), expandableBody(block))),
  );
};

export const columns: Renderer<ColumnsBlock> = (context, { data, nodes = [] }) => {
  if (nodes.length === 0) return undefined;
  return element(
    'div',
    { class: data?.fullWidth === true ? 'columns full' : 'columns', 'data-width': splitOf(nodes) },
    nodes.map((column) => () => {
      const align = column.data?.verticalAlignment;
      const className = align === 'middle' || align === 'bottom' ? `flow ${align}` : 'flow';
      return element('div', { class: className }, context.blocks(context, column.nodes ?? []));
    }),
  );
};

/** The width of the first of two columns in percent; undefined where they are equal. */
function splitOf(nodes: readonly ColumnBlock[]): number | undefined {
  const [first, second, ...more] = nodes;
  if (!first || !second || more.length > 0) return undefined;
  const last = percentOf(second.data?.width);
  const width = percentOf(first.data?.width) ?? (last === undefined ? undefined : 100 - last);
  return width === undefined || width === 50 || width < 5 || width > 95 ? undefined : width;
}

export const reusableContent: Renderer<ReusableContentBlock> = (context, { data: { ref } }) => {
  const id = ref.reusableContent;
  const document = context.within.includes(id) ? undefined : context.options.reusableContentOf?.(ref);
  if (!document || !context.page.includes.admit(document)) return undefined;
  return context.blocks({ ...context, within: [...context.within, id] }, document.nodes);
};
