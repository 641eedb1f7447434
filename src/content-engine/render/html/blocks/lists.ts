import {
  isTight,
  type ListBlock,
  type ListItemBlock,
  type OrderedListBlock,
  type TaskListBlock,
  type UnorderedListBlock,
} from '../../../document/index.ts';
import type { Context, Renderer } from '../context.ts';
import { richText } from '../inlines/inlines.ts';
import { element, type HtmlNode } from '../node.ts';

function content(context: Context, { nodes = [] }: ListItemBlock, isTightList: boolean): HtmlNode {
  const [first, ...rest] = nodes;
  if (!isTightList || first?.type !== 'paragraph') return context.blocks(context, nodes);
  return [richText(context, first), context.blocks(context, rest)];
}

function items(context: Context, list: ListBlock): HtmlNode {
  const tight = isTight(list);
  return (list.nodes ?? []).map((item) => () => element('li', {}, content(context, item, tight)));
}

export const bullets: Renderer<UnorderedListBlock> = (context, list) =>
  element('ul', {}, items(context, list));

export const numbers: Renderer<OrderedListBlock> = (context, list) => {
  const start = list.data?.start ?? 1;
  return element('ol', { start: start === 1 ? undefined : start }, items(context, list));
};

/** An item without a checkbox is possible: lists of tasks may contain other items. */
export const tasks: Renderer<TaskListBlock> = (context, list) => {
  const tight = isTight(list);
  const shown = (list.nodes ?? []).map((item) => () => {
    const checked = item.data?.checked === true;
    const label = checked ? context.words.done : context.words.toDo;
    const box = element('input', { type: 'checkbox', checked, disabled: true, 'aria-label': label });
    const isInline = tight && item.nodes?.length === 1;
    return element('li', {}, box, element(isInline ? 'span' : 'div', {}, content(context, item, tight)));
  });
  return element('ul', { class: 'tasks' }, shown);
};
