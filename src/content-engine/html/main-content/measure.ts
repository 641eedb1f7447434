import {
  attribute,
  classesOf,
  eachNode,
  isElement,
  isText,
  parentOf,
  type ChildNode,
  type Element,
} from '../dom.ts';
import { isTabList, isTabPanel } from './roles.ts';

/** Counts of the descendants of an element. A text has none. */
export interface Measure {
  /** Characters outside of links, and inside of them. */
  text: number;
  link: number;
  /** A block element: the element is no part of a line of text. */
  block: boolean;
  heading: boolean;
  paragraph: boolean;
  tabList: boolean;
  tabPanel: boolean;
  pre: number;
  table: number;
  image: number;
}

const BLOCKS = new Set(
  'address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul iframe video'.split(
    ' ',
  ),
);

const SKIPPED = new Set(['script', 'style', 'template', 'noscript', 'svg']);

export type Measures = (element: Element) => Measure;

const NOTHING: Measure = {
  text: 0,
  link: 0,
  block: false,
  heading: false,
  paragraph: false,
  tabList: false,
  tabPanel: false,
  pre: 0,
  table: 0,
  image: 0,
};

/** Measures every element once: children come before their parents, so that each is added to one other only. */
export function measure(root: Element): Measures {
  const all = new Map<Element, Measure>([[root, { ...NOTHING }]]);
  const nodes: ChildNode[] = [];
  eachNode(root, (node) => {
    if (isElement(node) && SKIPPED.has(node.tagName)) return false;
    nodes.push(node);
    if (isElement(node)) all.set(node, { ...NOTHING });
    return true;
  });
  for (const node of nodes.toReversed()) {
    const parent = parentOf(node);
    const sum = parent && all.get(parent);
    if (!sum) continue;
    if (isText(node)) sum.text += node.value.trim().length;
    else if (isElement(node)) add(sum, node, all.get(node) ?? NOTHING);
  }
  return (element) => all.get(element) ?? NOTHING;
}

function add(sum: Measure, element: Element, own: Measure): void {
  const { tagName } = element;
  const isLink = tagName === 'a';
  sum.text += isLink ? 0 : own.text;
  sum.link += isLink ? own.text + own.link : own.link;
  sum.block ||= own.block || isBlockElement(element);
  sum.heading ||= own.heading || /^h[1-6]$/.test(tagName);
  sum.paragraph ||= own.paragraph || tagName === 'p';
  sum.tabList ||= own.tabList || isTabList(element);
  sum.tabPanel ||= own.tabPanel || isTabPanel(element);
  sum.pre += own.pre + (tagName === 'pre' ? 1 : 0);
  sum.table += own.table + (tagName === 'table' ? 1 : 0);
  sum.image += own.image + (tagName === 'img' ? 1 : 0);
}

/** Formulas on lines of their own are often spans. */
export const isBlockElement = (element: Element): boolean =>
  BLOCKS.has(element.tagName) ||
  classesOf(element).includes('katex-display') ||
  (classesOf(element).includes('math') && classesOf(element).includes('display')) ||
  (element.tagName === 'mjx-container' && attribute(element, 'display') === 'true') ||
  (element.tagName === 'script' && /mode=display/.test(attribute(element, 'type') ?? ''));
