import { withoutFragment, type Addresses } from '../addresses.ts';
import {
  attribute,
  classesOf,
  eachNode,
  find,
  findAll,
  findOuter,
  isElement,
  rawText,
  type Document,
  type Element,
} from '../dom.ts';
import type { GeneratorHints } from '../generators/hints.ts';
import { itemsIn, type PageOf } from './navigation-entries.ts';
import { matches, matchesAny, select, selectAll } from '../selector.ts';
import type { NavigationItem } from '../types.ts';

/** Fewer links are a bar, not a table of contents. */
const MIN_LINKS = 3;

/** The table of contents of a site: pages and groups in order, with their depth. */
export function navigationOf(
  document: Document,
  hints: GeneratorHints,
  main: Element,
  addresses: Addresses,
): readonly NavigationItem[] {
  const pageOf = pageFinder(addresses);
  const root = rootOf(document, hints, main, pageOf);
  if (!root) return [];
  const { groups } = hints;
  return itemsIn(root, (one) => (groups && matches(one, groups) ? undefined : pageOf(one)));
}

/** The pages below this one that its text lists. */
export function contentsOf(
  main: Element,
  { contents = [] }: GeneratorHints,
  addresses: Addresses,
): readonly NavigationItem[] {
  const pageOf = pageFinder(addresses);
  return findOuter(main, (element) => matchesAny(element, contents)).flatMap((list) => itemsIn(list, pageOf));
}

/**
 * Links that are no entries: of closed groups, or, where the page lists no others (`isAlone`), to a frame that does, or of
 * bars with a few links.
 */
export function linksBeside(
  document: Document,
  hints: GeneratorHints,
  isAlone: boolean,
  addresses: Addresses,
): readonly string[] {
  const pageOf = pageFinder(addresses);
  if (!isAlone) return hints.groups ? selectAll(document, hints.groups).flatMap((a) => pageOf(a) ?? []) : [];
  const frame = hints.frame && frameIn(document, hints.frame);
  if (frame !== undefined) return [addresses.resolve(frame) ?? []].flat();
  const bars = candidatesIn(document, undefined);
  return bars.flatMap((bar) => findAll(bar, (one) => one.tagName === 'a').flatMap((a) => pageOf(a) ?? []));
}

function frameIn(document: Document, frame: RegExp): string | undefined {
  for (const element of findAll(document, ({ tagName }) => tagName === 'noscript')) {
    const address = frame.exec(element.childNodes.map(rawText).join(''))?.[1];
    if (address !== undefined) return address;
  }
  return undefined;
}

function rootOf(
  document: Document,
  hints: GeneratorHints,
  main: Element,
  pageOf: PageOf,
): Element | undefined {
  for (const selector of hints.navigation) {
    const found = select(document, selector);
    if (found && isList(found, hints, pageOf)) return found;
  }
  const isKnown = hints.navigation.length === 0 || hints.listed !== undefined;
  if (isKnown && hints.generator !== 'unknown') return undefined;
  let best: { readonly element: Element; readonly score: number } | undefined;
  for (const element of candidatesIn(document, main)) {
    const pages = pagesIn(element, pageOf);
    const isBar = !find(element, ({ tagName }) => tagName === 'ul' || tagName === 'ol');
    const score = isBar ? pages / 4 : pages;
    if (pages >= MIN_LINKS && (!best || score > best.score)) best = { element, score };
  }
  return best?.element;
}

const isList = (element: Element, { listed }: GeneratorHints, pageOf: PageOf): boolean =>
  find(element, (one) => pageOf(one) !== undefined) !== undefined &&
  (listed === undefined || select(element, listed) !== undefined);

const MAX_CANDIDATES = 50;

/** The first elements around the text that could hold the navigation. */
function candidatesIn(document: Document, main: Element | undefined): Element[] {
  const found: Element[] = [];
  eachNode(document, (node) => {
    // The text is the whole body where nothing else is found.
    if ((node === main && node.tagName !== 'body') || found.length >= MAX_CANDIDATES) return false;
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

function pageFinder(addresses: Addresses): PageOf {
  const { origin } = new URL(addresses.page);
  const pageAt = (href: string): string | undefined => {
    const url = addresses.resolve(href);
    if (url === undefined || !url.startsWith(`${origin}/`)) return undefined;
    if (!url.includes('#')) return url;
    return addresses.fragmentOf(href) === undefined ? withoutFragment(new URL(url)) : undefined;
  };
  const known = new Map<string, string | undefined>();
  return (element) => {
    const href = element.tagName === 'a' ? attribute(element, 'href')?.trim() : undefined;
    if (href === undefined) return undefined;
    if (href === '#' && isCurrent(element)) return addresses.page;
    if (href.startsWith('#')) return undefined;
    if (!known.has(href)) known.set(href, pageAt(href));
    return known.get(href);
  };
}

const isCurrent = (link: Element): boolean =>
  attribute(link, 'aria-current') === 'page' || classesOf(link).includes('current');
