import { withoutFragment, type Addresses } from './addresses.ts';
import {
  ancestorsOf,
  attribute,
  classesOf,
  eachNode,
  elementsWithText,
  find,
  isElement,
  isText,
  textOf,
  type ChildNode,
  type Document,
  type Element,
} from './dom.ts';
import type { GeneratorHints } from './generators/hints.ts';
import { matches, select } from './selector.ts';
import type { NavigationItem } from './types.ts';

const MAX_ITEMS = 5000;
/** Fewer links are a bar, not a table of contents. */
const MIN_LINKS = 3;
const MAX_LEVEL = 32;
/** Of elements inside each other. */
const MAX_DEPTH = 256;

/** The table of contents of a site: pages and groups in order, with their depth. */
export function navigationOf(
  document: Document,
  hints: GeneratorHints,
  main: Element,
  addresses: Addresses,
): readonly NavigationItem[] {
  const { pageOf, isOfPage } = pageFinder(addresses);
  const root = rootOf(document, hints, main, pageOf);
  if (!root) return [];
  // Nodes that were moved from an earlier page have been read already.
  const site = `${new URL(addresses.page).origin} ${addresses.resolve('/')}`;
  if (root.navigation?.site === site) return root.navigation.items;
  const items = nested(entriesOf(root, pageOf));
  if (!isOfPage()) root.navigation = { site, items };
  return items;
}

/** The page that a link leads to: on the same site, and not only to a part of this page. */
type PageOf = (element: Element) => string | undefined;

function rootOf(
  document: Document,
  hints: GeneratorHints,
  main: Element,
  pageOf: PageOf,
): Element | undefined {
  for (const selector of hints.navigation) {
    const found = select(document, selector);
    if (found && find(found, (element) => pageOf(element) !== undefined)) return found;
  }
  if (hints.navigation.length === 0 && hints.generator !== 'unknown') return undefined;
  let best: { readonly element: Element; readonly score: number } | undefined;
  for (const element of candidatesIn(document, main)) {
    const pages = pagesIn(element, pageOf);
    const isBar = !find(element, ({ tagName }) => tagName === 'ul' || tagName === 'ol');
    const score = isBar ? pages / 4 : pages;
    if (pages >= MIN_LINKS && (!best || score > best.score)) best = { element, score };
  }
  return best?.element;
}

const MAX_CANDIDATES = 50;

/** The first elements outside of the text that could hold the navigation. */
function candidatesIn(document: Document, main: Element): Element[] {
  const found: Element[] = [];
  eachNode(document, (node) => {
    if (node === main || found.length >= MAX_CANDIDATES) return false;
    if (isElement(node) && isCandidate(node)) found.push(node);
    return true;
  });
  return found;
}

const isCandidate = (element: Element): boolean =>
  element.tagName === 'nav' ||
  element.tagName === 'aside' ||
  matches(element, '[role=navigation]') ||
  matches(element, '.sidebar');

function pagesIn(element: Element, pageOf: PageOf): number {
  const pages = new Set<string>();
  eachNode(element, (node) => {
    const url = isElement(node) ? pageOf(node) : undefined;
    if (url !== undefined) pages.add(url);
  });
  return pages.size;
}

/** `isOfPage`: whether a link was found that leads elsewhere on another page of the same site. */
function pageFinder(addresses: Addresses): { readonly pageOf: PageOf; readonly isOfPage: () => boolean } {
  const { origin } = new URL(addresses.page);
  let isOfPage = false;
  const pageAt = (href: string): string | undefined => {
    const url = addresses.resolve(href);
    if (url === undefined || !url.startsWith(`${origin}/`)) return undefined;
    if (!url.includes('#')) return url;
    return addresses.fragmentOf(href) === undefined ? withoutFragment(new URL(url)) : undefined;
  };
  const known = new Map<string, string | undefined>();
  const pageOf: PageOf = (element) => {
    const href = element.tagName === 'a' ? attribute(element, 'href')?.trim() : undefined;
    if (href === undefined) return undefined;
    isOfPage ||= !IS_ABSOLUTE.test(href);
    if (href === '#' && isCurrent(element)) return addresses.page;
    if (href.startsWith('#')) return undefined;
    if (!known.has(href)) known.set(href, pageAt(href));
    return known.get(href);
  };
  return { pageOf, isOfPage: () => isOfPage };
}

/** An address that does not depend on the path of the page. */
const IS_ABSOLUTE = /^(?:https?:\/)?\/[^#]*$/;

const isCurrent = (link: Element): boolean =>
  attribute(link, 'aria-current') === 'page' || classesOf(link).includes('current');

interface Entry {
  readonly level: number;
  readonly title: string;
  readonly url: string | undefined;
}

const LISTS = new Set(['ul', 'ol', 'menu', 'details']);
const LEVEL_CLASS = /(?:^|\s)(?:level-|toctree-l|depth-)(\d{1,2})(?:\s|$)/;
const NEVER_LISTED = new Set(['script', 'style', 'svg', 'template', 'form', 'noscript']);
const NOT_LISTED = /(?:^|[-_\s])(?:toc|secondary|search|theme-toggle|version|language)(?:[-_\s]|$)/i;

/** Links and labels with their level of nesting, which may skip levels. */
function entriesOf(root: Element, pageOf: PageOf): Entry[] {
  const entries: Entry[] = [];
  /** The entries of list items. What follows in an item is a button, or its title again, perhaps as a link. */
  const titled = new Map<Element, number>();
  const visit = (parent: Element, level: number, item: Element | undefined, depth: number): void => {
    if (depth > MAX_DEPTH) return;
    for (let index = 0; index < parent.childNodes.length; index++) {
      const child = parent.childNodes[index] as ChildNode;
      if (entries.length >= MAX_ITEMS) return;
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
        const title = textOf(child).slice(0, 500);
        const known = item && titled.get(item);
        if (known !== undefined && url !== undefined && known === entries.length - 1 && !entries[known]?.url)
          entries[known] = { level: at, title, url };
        if (title === '' || known !== undefined) continue;
        if (item) titled.set(item, entries.length);
        entries.push({ level: at, title, url });
        continue;
      }
      if (level >= MAX_LEVEL) continue;
      const own = levelOf(child);
      const isItem = child.tagName === 'li' || own !== undefined;
      const isList = LISTS.has(child.tagName);
      visit(child, own ?? (isList ? at + 1 : at), isItem ? child : isList ? undefined : item, depth + 1);
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
  visit(root, 0, undefined, 0);
  return entries;
}

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
  return level === undefined ? undefined : Math.min(Number(level), MAX_LEVEL);
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
