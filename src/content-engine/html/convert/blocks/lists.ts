import { isListBlock, type BlockNode, type ListItemBlock } from '../../../document/index.ts';
import {
  attribute,
  classesOf,
  elementsIn,
  find,
  isElement,
  isText,
  parentOf,
  type ChildNode,
  type Element,
} from '../../dom.ts';
import type { BlockConverter, Conversion } from '../context.ts';
import { filled, listItem } from '../nodes.ts';

const isList = (node: ChildNode): node is Element =>
  isElement(node) && /^(?:ul|ol|menu|dir)$/.test(node.tagName);

export const convertList: BlockConverter = (element, conversion) => {
  if (!isList(element)) return undefined;
  // Notion writes expandables as lists.
  if (conversion.isTooDeep || classesOf(element).includes('toggle'))
    return conversion.blocks(element.childNodes.flatMap(contentOf));
  const items = itemsOf(element, conversion);
  if (items.length === 0) return [];
  const isTasks = element.tagName !== 'ol' && items[0]?.data?.checked !== undefined;
  const nodes = isTasks ? items : items.map(({ nodes = [] }) => listItem(nodes));
  if (isTasks) return [{ object: 'block', type: 'list-tasks', nodes }];
  if (element.tagName !== 'ol') return [{ object: 'block', type: 'list-unordered', nodes }];
  const start = Number(attribute(element, 'start') ?? 1);
  const data = Number.isInteger(start) && start >= 0 && start < 1_000_000 && start !== 1 ? { start } : {};
  return [{ object: 'block', type: 'list-ordered', data, nodes }];
};

const contentOf = (node: ChildNode): ChildNode[] =>
  isElement(node) && node.tagName === 'li' ? node.childNodes : [node];

/** Lists directly inside a list belong to the item before them; other content is an item of its own. */
function itemsOf(list: Element, conversion: Conversion): ListItemBlock[] {
  const items: ListItemBlock[] = [];
  for (const child of list.childNodes) {
    if (isElement(child) && child.tagName === 'li') {
      const checked = checkedOf(child);
      const nodes = filled(conversion.inner(child.childNodes));
      if (nodes.length > 0 || checked !== undefined) items.push(listItem(nodes, checked));
      continue;
    }
    if (isText(child) && child.value.trim() === '') continue;
    const blocks = filled(conversion.inner([child]));
    if (blocks.length === 0) continue;
    const last = items.at(-1);
    if (last && isList(child)) (last.nodes ??= []).push(...blocks);
    else items.push(listItem(blocks));
  }
  return items;
}

/** Whether the box of a task is checked; undefined: no task. */
function checkedOf(item: Element): boolean | undefined {
  const isBox = (one: Element): boolean =>
    (one.tagName === 'input' && attribute(one, 'type')?.toLowerCase() === 'checkbox') ||
    (one.tagName === 'div' && classesOf(one).includes('checkbox'));
  const [first] = elementsIn(item);
  const box =
    first &&
    (isBox(first) ? first : /^(?:p|label|div|span)$/.test(first.tagName) ? find(first, isBox) : undefined);
  if (box) return attribute(box, 'checked') !== undefined || classesOf(box).includes('checkbox-on');
  const named = new Set(classesOf(item));
  const list = parentOf(item);
  const isTask =
    named.has('task-list-item') || (list !== undefined && classesOf(list).includes('inline-task-list'));
  return isTask ? named.has('checked') : undefined;
}

/** The level of a list that is written beside the list it belongs to: Google Docs. */
export function levelOf(element: Element): number {
  for (const name of classesOf(element)) {
    const level = /^lst-kix_\w+-(\d)$/.exec(name)?.[1];
    if (level !== undefined) return Number(level);
  }
  return 0;
}

/**
 * Joins a list to the one before it, where a generator writes each item, or each level, as a list of its own. False: it
 * is another list.
 */
export function joinList(before: BlockNode | undefined, list: BlockNode, level: number): boolean {
  if (!before || !isListBlock(before) || !isListBlock(list)) return false;
  if (level > 0) {
    const last = before.nodes?.at(-1);
    if (!last) return false;
    const nodes = (last.nodes ??= []);
    if (!joinList(nodes.at(-1), list, level - 1)) nodes.push(list);
    return true;
  }
  if (before.type !== list.type) return false;
  if (list.type === 'list-ordered' && before.type === 'list-ordered') {
    const next = (before.data?.start ?? 1) + (before.nodes?.length ?? 0);
    if (list.data?.start !== next) return false;
  }
  (before.nodes ??= []).push(...(list.nodes ?? []));
  return true;
}
