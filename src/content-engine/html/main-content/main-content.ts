import { isAdmonition, isFootnotes, isTabPart } from './roles.ts';
import {
  ancestorsOf,
  attribute,
  classesOf,
  eachNode,
  elementsIn,
  find,
  findOuter,
  hasClass,
  isElement,
  isText,
  parentOf,
  textOf,
  type Document,
  type Element,
} from '../dom.ts';
import type { GeneratorHints } from '../generators/hints.ts';
import { isEmbed } from '../convert/blocks/embeds.ts';
import { isDrawing } from './drawings.ts';
import { measure, type Measure, type Measures } from './measure.ts';
import { matchesAny, select, selectAll } from '../selector.ts';

const USUAL = ['main article', 'article', '[role=main]', 'main', '#content', '.content'] as const;

/** The element that holds the text of the page. */
export function findMain(document: Document, { main }: GeneratorHints): Element {
  const body = find(document, ({ tagName }) => tagName === 'body');
  if (!body) throw new Error('The parser always adds a body.');
  const withText = ancestorsOf(document, (node) => isText(node) && node.value.trim() !== '', UNSHOWN);
  for (const selector of main) {
    const found = selector === 'body' ? body : select(document, selector);
    if (found && withText.has(found)) return found;
  }
  for (const selector of USUAL) {
    const [only, ...more] = selectAll(body, selector).filter((one) => withText.has(one));
    // Several articles are a list of articles.
    if (only && more.length === 0) return only;
  }
  return densest(body, measure(body));
}

const UNSHOWN = new Set(['script', 'style', 'template', 'noscript', 'svg']);

/** The element with the most text outside of links, among those with at least a quarter of the page's text. */
function densest(body: Element, measures: Measures): Element {
  const all = measures(body);
  const score = ({ text, link }: Measure): number => text - 2 * link;
  let best = body;
  // Inner elements come later, and win where they hold as much text as their parent.
  eachNode(body, (node) => {
    if (!isElement(node) || !MAY_BE_MAIN.has(node.tagName)) return;
    const own = measures(node);
    if (4 * (own.text + own.link) < all.text + all.link) return;
    if (score(own) >= score(measures(best))) best = node;
  });
  return best;
}

const MAY_BE_MAIN = new Set(['div', 'section', 'td', 'center', 'form', 'body', 'article', 'main']);
const NEVER_TEXT = new Set([
  'style', 'template', 'noscript', 'svg', 'nav', 'object', 'canvas', 'dialog', 'select', 'textarea', 'link', 'meta', 'head', 'base', 'datalist', 'map',
]); // prettier-ignore

/** Names of parts around the text, as a class or a part of it between hyphens. */
const CHROME =
  /^(?:.*[-_])?(?:breadcrumbs?|pagination|toc|table-of-contents|sidebar|edit-this-page|edit-page|feedback|share|headerlink|hash-link|header-anchor|anchor-link|skip-link|skip-to-content|cookie|cookies|newsletter|theme-toggle|searchbox|copybtn|clipboard-copy|sr-only|visually-hidden|screen-reader-text)(?:[-_].*)?$/i;
const CHROME_EXACT = /^(?:search|prev|next|copy)$/i;

/** Elements whose names are about their text: `id="search"` of a heading. */
const NAMED_BY_TEXT =
  /^(?:h[1-6]|section|p|li|pre|code|table|t[rdh]|tbody|dt|dd|figure|img|details|summary)$/;

/**
 * Gives headings the ids that links beside their text show, before these links are removed as chrome. Links to a heading
 * use that id, even where the heading has another one.
 */
export function identifyHeadings(main: Element): void {
  const searched = new Set<Element>();
  /** GitHub wraps a heading and the link to it. The link belongs to the first heading. */
  const linkBeside = (heading: Element): Element | undefined => {
    const wrapper = parentOf(heading);
    if (!wrapper || searched.has(wrapper) || !hasClass(wrapper, 'markdown-heading')) return undefined;
    searched.add(wrapper);
    return elementsIn(wrapper).find(isFragmentLink);
  };
  // Headings inside headings are text of the outer ones.
  for (const heading of findOuter(main, isHeading)) {
    const own = linkBeside(heading) ?? find(heading, isFragmentLink);
    const named = find(heading, (one) => (attribute(one, 'id') ?? attribute(one, 'name')) !== undefined);
    const isAnchor = own && (textOf(own).length <= 1 || textOf(own) === textOf(heading));
    const id =
      (isAnchor ? decodedFragment(attribute(own, 'href') ?? '') : undefined) ??
      attribute(heading, 'id') ??
      (named && (attribute(named, 'id') ?? attribute(named, 'name')));
    // A heading that is a link to itself.
    if (
      own &&
      isAnchor &&
      own.parentNode === heading &&
      textOf(own) !== '' &&
      textOf(own) === textOf(heading)
    )
      heading.childNodes = own.childNodes;
    if (id === undefined || id === '' || id === attribute(heading, 'id')) continue;
    heading.attrs = [...heading.attrs.filter(({ name }) => name !== 'id'), { name: 'id', value: id }];
  }
}

const isFragmentLink = (element: Element): boolean =>
  element.tagName === 'a' && attribute(element, 'href')?.startsWith('#') === true;

function decodedFragment(href: string): string {
  try {
    return decodeURIComponent(href.slice(1));
  } catch {
    return href.slice(1);
  }
}

/** Removes what is not text of the page. Returns the names of what is lost by that. */
export function dropChrome(main: Element, hints: GeneratorHints): string[] {
  const measures = measure(main);
  const lost = new Set<string>();
  const pending: Element[] = [main];
  for (let element = pending.pop(); element; element = pending.pop()) {
    element.childNodes = element.childNodes.filter((child) => {
      if (isText(child)) return true;
      if (!isElement(child)) return false;
      if (isChrome(child, hints, measures)) {
        if (isDrawing(child)) lost.add('<svg>');
        return false;
      }
      pending.push(child);
      return true;
    });
  }
  return [...lost];
}

function isChrome(element: Element, hints: GeneratorHints, measures: Measures): boolean {
  const { tagName } = element;
  if (tagName === 'script') return attribute(element, 'type')?.startsWith('math/tex') !== true;
  if (matchesAny(element, hints.drop)) return true;
  if (isTabPart(element)) return false;
  if (NEVER_TEXT.has(tagName)) return true;
  switch (tagName) {
    case 'button':
      return true;
    case 'iframe':
      return !isEmbed(element);
    case 'aside':
      return !isAdmonition(element, hints) && !isFootnotes(element) && !isTopic(element);
    case 'form':
      return !measures(element).paragraph && !measures(element).heading;
    case 'header':
      return !measures(element).heading;
    case 'footer':
      return !['blockquote', 'figure'].includes(parentOf(element)?.tagName ?? '');
    default:
  }
  if (isHidden(element)) return true;
  if (!hasChromeName(element) || isWholeText(measures(element))) return false;
  return hints.described === undefined || select(element, hints.described) === undefined;
}

/** An aside of the author: Sphinx writes lists of the sections of a page in the same way. */
const isTopic = (element: Element): boolean => hasClass(element, 'topic') && !hasClass(element, 'contents');

const isHeading = ({ tagName }: Element): boolean => /^h[1-6]$/.test(tagName);

/** Formulas hide one of their two forms from screen readers, and bodies of expandables are hidden until they are opened. */
function isHidden(element: Element): boolean {
  const { tagName } = element;
  const isOpened = /(?:^|\s)(?:expand-content|collapse|toggle|accordion-body)/.test(
    attribute(element, 'class') ?? '',
  );
  if (isOpened) return false;
  if (attribute(element, 'hidden') !== undefined) return true;
  if (/display\s*:\s*none/i.test(attribute(element, 'style') ?? '')) return !isMath(element);
  // The caption of a picture whose alternative text says the same.
  if (tagName === 'figcaption') return false;
  return attribute(element, 'aria-hidden') === 'true' && !isMath(element);
}

const isMath = (element: Element): boolean =>
  element.tagName === 'math' ||
  element.tagName === 'img' ||
  /(?:katex|mathjax|mwe-math)/i.test(attribute(element, 'class') ?? '');

function hasChromeName(element: Element): boolean {
  const { tagName } = element;
  if (NAMED_BY_TEXT.test(tagName)) return false;
  const classes = classesOf(element);
  if (classes.some((name) => CHROME.test(name) || (tagName !== 'span' && CHROME_EXACT.test(name))))
    return true;
  if (tagName === 'a' && classes.includes('anchor')) return true;
  const id = attribute(element, 'id');
  return id !== undefined && /^(?:div|ul)$/.test(tagName) && !classes.includes('section') && CHROME.test(id);
}

/** A class such as `with-sidebar` may be on the element around all of the text. */
const isWholeText = ({ text, heading, paragraph }: Measure): boolean => heading && paragraph && text > 2000;

export const titleElement = (document: Document, { title = [] }: GeneratorHints): Element | undefined =>
  title.map((selector) => select(document, selector)).find((found) => found !== undefined);
