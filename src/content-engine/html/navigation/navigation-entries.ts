import {
  ancestorsOf,
  attribute,
  elementsWithText,
  isElement,
  isText,
  rawText,
  textOf,
  withoutInvisible,
  type ChildNode,
  type Element,
} from '../dom.ts';
import { MAX_DEPTH, MAX_NAVIGATION_ITEMS, MAX_NAVIGATION_LEVEL } from '../limits.ts';
import type { NavigationItem } from '../types.ts';

/** The page that a link leads to: on the same site, and not only to a part of this page. */
export type PageOf = (element: Element) => string | undefined;

/** The pages and groups that a list contains, in order, with their depth. */
export const itemsIn = (root: Element, pageOf: PageOf): NavigationItem[] => nested(entriesOf(root, pageOf));

interface Entry {
  readonly level: number;
  readonly title: string;
  readonly url: string | undefined;
}

const LISTS = new Set(['ul', 'ol', 'dl', 'menu', 'details']);
const LEVEL_CLASS = /(?:^|\s)(?:level-|toctree-l|depth-)(\d{1,2})(?:\s|$)/;
const NEVER_LISTED = new Set(['script', 'style', 'svg', 'template', 'form', 'noscript']);
const NOT_LISTED = /(?:^|[-_\s])(?:toc|secondary|search|theme-toggle|version|language)(?:[-_\s]|$)/i;

/** Links and labels with their level of nesting, which may skip levels. */
function entriesOf(root: Element, pageOf: PageOf): Entry[] {
  const entries: Entry[] = [];
  /** The entries of list items. What follows in an item is a button, or its title again, perhaps as a link. */
  const titled = new Map<Element, number>();
  /** `lift`: by how much the levels that classes state are too low here. */
  const visit = (
    parent: Element,
    level: number,
    item: Element | undefined,
    depth: number,
    lift: number,
  ): void => {
    if (depth > MAX_DEPTH) return;
    /** A list directly after another one has no title: that of the first list is not its own. */
    let isAfterList = false;
    for (let index = 0; index < parent.childNodes.length; index++) {
      const child = parent.childNodes[index] as ChildNode;
      if (entries.length >= MAX_NAVIGATION_ITEMS) return;
      if (item && isLabel(child) && !titled.has(item)) {
        titled.set(item, entries.length);
        entries.push({ level, title: labelAt(parent.childNodes, index, hasEntries), url: undefined });
      }
      if (!isElement(child)) continue;
      if (NEVER_LISTED.has(child.tagName) || isNotListed(attribute(child, 'class') ?? '')) continue;
      const url = pageOf(child);
      // The title of what its details contain.
      const at = child.tagName === 'summary' ? level - 1 : level;
      const isLeaf = url !== undefined || !hasEntries(child);
      if (isLeaf) {
        const title = titleOf(child);
        const known = item && titled.get(item);
        if (known !== undefined && url !== undefined && known === entries.length - 1 && !entries[known]?.url)
          entries[known] = { level: at, title, url };
        if (title === '' || known !== undefined) continue;
        if (item) titled.set(item, entries.length);
        entries.push({ level: at, title, url });
        isAfterList = false;
        continue;
      }
      if (level >= MAX_NAVIGATION_LEVEL) continue;
      const stated = levelOf(child);
      const own = stated === undefined ? undefined : stated - lift;
      const isItem = child.tagName === 'li' || own !== undefined;
      const isList = LISTS.has(child.tagName);
      const raised = isAfterList && isList && item === undefined ? 1 : 0;
      const next = own ?? (isList ? at + 1 - raised : at);
      visit(child, next, isItem ? child : isList ? undefined : item, depth + 1, lift + raised);
      isAfterList = isList;
    }
  };
  // The entries of a list mostly have the same classes.
  const notListed = new Map<string, boolean>();
  const isNotListed = (classes: string): boolean => {
    let found = notListed.get(classes);
    if (found === undefined) notListed.set(classes, (found = NOT_LISTED.test(classes)));
    return found;
  };
  const aroundEntries = ancestorsOf(
    root,
    (node) => isElement(node) && (node.tagName === 'a' || LISTS.has(node.tagName)),
  );
  const withText = elementsWithText(root);
  const hasEntries = (element: Element): boolean =>
    aroundEntries.has(element) || (element.tagName !== 'li' && hasSeveralTexts(element, withText));
  visit(root, 0, undefined, 0, 0);
  return entries;
}

/** The title, without parts that screen readers leave out: the number of a chapter, or a picture in letters. */
function titleOf(element: Element): string {
  const isSpoken = ({ childNodes }: Element): boolean =>
    childNodes.some((one) => (isElement(one) ? !isUnspoken(one) : isText(one) && one.value.trim() !== ''));
  const text = isSpoken(element)
    ? element.childNodes.map((one) => (isElement(one) && isUnspoken(one) ? '' : rawText(one))).join('')
    : textOf(element);
  return withoutInvisible(text).replace(/\s+/g, ' ').trim().slice(0, 500);
}

const isUnspoken = (element: Element): boolean => attribute(element, 'aria-hidden') === 'true';

/** Text directly in an item, with a letter or digit: others separate entries. */
const isLabel = (node: ChildNode): boolean => isText(node) && /[\p{L}\p{N}]/u.test(node.value);

/** The text from here to the next link or list. */
function labelAt(
  nodes: readonly ChildNode[],
  index: number,
  hasEntries: (element: Element) => boolean,
): string {
  const rest = nodes.slice(index);
  const end = rest.findIndex((node) => isElement(node) && (node.tagName === 'a' || hasEntries(node)));
  return rest
    .slice(0, end < 0 ? rest.length : end)
    .map((node) => (isText(node) ? node.value : textOf(node)))
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 500);
}

/** Whether an element holds more than one label. */
const hasSeveralTexts = (element: Element, withText: ReadonlySet<Element>): boolean =>
  !element.childNodes.some((node) => isText(node) && node.value.trim() !== '') &&
  element.childNodes.filter((node) => isElement(node) && withText.has(node)).length > 1;

function levelOf(element: Element): number | undefined {
  const level = LEVEL_CLASS.exec(attribute(element, 'class') ?? '')?.[1];
  return level === undefined ? undefined : Math.min(Number(level), MAX_NAVIGATION_LEVEL);
}

/** Depths without gaps. A label that has nothing below it is no group. */
function nested(entries: readonly Entry[]): NavigationItem[] {
  const items: NavigationItem[] = [];
  const open: number[] = [];
  entries.forEach(({ level, title, url }, index) => {
    const next = entries[index + 1];
    if (url === undefined && (!next || next.level <= level)) return;
    while (open.length > 0 && (open.at(-1) ?? 0) >= level) open.pop();
    open.push(level);
    items.push({ depth: open.length, title, ...(url === undefined ? {} : { url }) });
  });
  return items;
}
