import type { DefaultTreeAdapterTypes } from 'parse5';

/** Reading the tree of the parser. Nothing here recurses: pages may be 5,000 elements deep. */

export type Document = DefaultTreeAdapterTypes.Document;
/** An element with facts that are needed more than once. They are members, because maps of elements are slow to collect. */
export type Element = DefaultTreeAdapterTypes.Element & {
  depth?: number;
  classes?: readonly string[] | undefined;
};
export type Node = DefaultTreeAdapterTypes.Node;
export type ChildNode = DefaultTreeAdapterTypes.ChildNode;
export type Parent = Document | Element;
type TextNode = DefaultTreeAdapterTypes.TextNode;

export const isElement = (node: Node): node is Element => (node as Element).tagName !== undefined;
export const isText = (node: Node): node is TextNode => node.nodeName === '#text';

export const elementsIn = (parent: Parent): Element[] => parent.childNodes.filter(isElement);

export function attribute({ attrs }: Element, name: string): string | undefined {
  for (const one of attrs) if (one.name === name) return one.value;
  return undefined;
}

const NONE: readonly string[] = [];

export function classesOf(element: Element): readonly string[] {
  if (element.classes) return element.classes;
  const value = attribute(element, 'class');
  element.classes = value === undefined ? NONE : value.split(/[ \t\n\f\r]+/).filter((name) => name !== '');
  return element.classes;
}

/** Most elements do not contain the name at all, and their classes need not be split. */
export const hasClass = (element: Element, name: string): boolean =>
  attribute(element, 'class')?.includes(name) === true && classesOf(element).includes(name);

export const parentOf = (node: ChildNode): Element | undefined =>
  node.parentNode && isElement(node.parentNode) ? node.parentNode : undefined;

/** Each descendant in document order. `false` leaves out the descendants of an element. */
export function eachNode(parent: Parent, visit: (node: ChildNode) => boolean | void): void {
  const pending: ChildNode[] = parent.childNodes.toReversed();
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (visit(node) === false || !isElement(node)) continue;
    for (let at = node.childNodes.length - 1; at >= 0; at--) pending.push(node.childNodes[at] as ChildNode);
  }
}

/** The first descendant in document order. */
export function find(parent: Parent, test: (element: Element) => boolean): Element | undefined {
  const pending: ChildNode[] = parent.childNodes.toReversed();
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (!isElement(node)) continue;
    if (test(node)) return node;
    for (let at = node.childNodes.length - 1; at >= 0; at--) pending.push(node.childNodes[at] as ChildNode);
  }
  return undefined;
}

export function findAll(parent: Parent, test: (element: Element) => boolean): Element[] {
  const found: Element[] = [];
  eachNode(parent, (node) => {
    if (isElement(node) && test(node)) found.push(node);
  });
  return found;
}

/** The outermost descendants that pass the test. */
export function findOuter(parent: Parent, test: (element: Element) => boolean): Element[] {
  const found: Element[] = [];
  eachNode(parent, (node) => {
    if (!isElement(node) || !test(node)) return true;
    found.push(node);
    return false;
  });
  return found;
}

/** The elements with a descendant that passes the test. Those in `hiding` are found, but not the elements around them. */
export function ancestorsOf(
  parent: Parent,
  test: (node: ChildNode) => boolean,
  hiding: ReadonlySet<string> = new Set(),
): ReadonlySet<Element> {
  const found = new Set<Element>();
  eachNode(parent, (node) => {
    if (!test(node)) return;
    // The ancestors of an element that was found before are known.
    for (let at = parentOf(node); at && !found.has(at); at = parentOf(at)) {
      found.add(at);
      if (hiding.has(at.tagName)) break;
    }
  });
  return found;
}

/** Elements whose text is not shown. */
const UNSHOWN = new Set(['script', 'style', 'template', 'noscript', 'title']);

/** Elements that begin a line. */
const SEPARATE = new Set([
  'br',
  'p',
  'div',
  'li',
  'td',
  'th',
  'tr',
  'dt',
  'dd',
  'section',
  'blockquote',
  'h2',
  'h3',
]);

/** The text as written, white space included. */
export function rawText(node: ChildNode): string {
  if (isText(node)) return node.value;
  if (!isElement(node)) return '';
  const [only, more] = node.childNodes;
  if (only && !more && isText(only)) return only.value;
  const parts: string[] = [];
  eachNode(node, (one) => {
    if (isText(one)) parts.push(one.value);
    else if (isElement(one) && SEPARATE.has(one.tagName)) parts.push('\n');
    return !(isElement(one) && UNSHOWN.has(one.tagName));
  });
  return parts.join('');
}

/** The content of `<style>` and `<script>`, which is one text. */
export const sourceOf = ({ childNodes }: Element): string =>
  childNodes.map((node) => (isText(node) ? node.value : '')).join('');

/** Characters that are not seen: they are put into headings for anchors, and into long words. */
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]/g;

export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '');

/** White space other than single spaces, and invisible characters. */
const UNUSUAL = /\s\s|[^\S ]|[\u00ad\u200b\u2060\ufeff]/;

/** The text on one line. */
export function textOf(node: ChildNode): string {
  const text = rawText(node);
  if (!UNUSUAL.test(text)) return text.trim();
  return withoutInvisible(text).replace(/\s+/g, ' ').trim();
}

/** The elements whose `textOf` is not empty. */
export const elementsWithText = (parent: Parent): ReadonlySet<Element> =>
  ancestorsOf(parent, (node) => isText(node) && withoutInvisible(node.value).trim() !== '', UNSHOWN);
