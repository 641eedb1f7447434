import type { Budget } from '../../../budget.ts';
import { NODE } from '../../../document/index.ts';
import { htmlTagAt, type HtmlTag } from '../../scan/syntax/html-tag.ts';
import type { Span } from '../span.ts';

/** A small tolerant tree of HTML: end tags may be missing, stray ones are ignored, nesting is bounded. */
export interface HtmlElement {
  readonly element: HtmlTag;
  readonly children: HtmlNode[];
}

export interface HtmlText {
  readonly from: number;
  readonly to: number;
}

export type HtmlNode = HtmlElement | HtmlText;

const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));

/** A start tag of the key ends an open element of these names. */
const ENDS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    li: ['li'],
    p: ['p'],
    td: ['td', 'th'],
    th: ['td', 'th'],
    tr: ['tr', 'td', 'th'],
    tbody: ['thead', 'tr', 'td', 'th'],
    option: ['option'],
  }),
);

const MAX_NESTING = 48;

const isElement = (node: HtmlNode): node is HtmlElement => 'element' in node;
export { isElement };

export function parseHtml(span: Span, work: Budget): HtmlNode[] {
  const { text, to } = span;
  const root: HtmlNode[] = [];
  const stack: HtmlElement[] = [];
  let at = span.from;
  let start = at;
  let children = root;
  const into = (): HtmlNode[] => stack.at(-1)?.children ?? root;
  const flush = (end: number): void => {
    if (end > start) children.push({ from: start, to: end });
  };
  while (at < to) {
    const open = text.indexOf('<', at);
    if (open < 0 || open >= to) break;
    const comment = text.startsWith('<!--', open) ? text.indexOf('-->', open) : -1;
    const element = comment < 0 ? htmlTagAt(text, open, to) : undefined;
    if (comment < 0 && !element) {
      at = open + 1;
      if (text.startsWith('<!--', open)) at = to;
      continue;
    }
    // The element, and the text before it.
    work.spend(2 * NODE);
    flush(open);
    at = element ? element.end : Math.min(comment + 3, to);
    start = at;
    if (!element) continue;
    if (element.closing) close(stack, element.name);
    else place(stack, into, element);
    children = into();
  }
  flush(to);
  return root;
}

function close(stack: HtmlElement[], name: string): void {
  for (let index = stack.length - 1; index >= 0; index--) {
    if (stack[index]?.element.name !== name) continue;
    stack.length = index;
    return;
  }
}

function place(stack: HtmlElement[], into: () => HtmlNode[], element: HtmlTag): void {
  const ends = ENDS.get(element.name);
  if (ends) while (ends.includes(stack.at(-1)?.element.name ?? '')) stack.pop();
  const node: HtmlElement = { element, children: [] };
  into().push(node);
  if (!element.selfClosing && !VOID.has(element.name) && stack.length < MAX_NESTING) stack.push(node);
}

/** All descendants with that name, in order, not looking inside a match. */
export function findAll(nodes: readonly HtmlNode[], name: string, found: HtmlElement[] = []): HtmlElement[] {
  for (const node of nodes) {
    if (!isElement(node)) continue;
    if (node.element.name === name) found.push(node);
    else findAll(node.children, name, found);
  }
  return found;
}

export const childElements = (nodes: readonly HtmlNode[]): HtmlElement[] => nodes.filter(isElement);
