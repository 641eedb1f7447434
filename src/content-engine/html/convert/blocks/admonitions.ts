import {
  HINT_STYLES,
  type BlockNode,
  type HintStyle,
  type InlineContent,
  type Leaf,
} from '../../../document/index.ts';
import {
  attribute,
  classesOf,
  elementsIn,
  find,
  findAll,
  textOf,
  type ChildNode,
  type Element,
} from '../../dom.ts';
import { isAdmonition } from '../../main-content/roles.ts';
import type { BlockConverter, Conversion } from '../context.ts';
import { lineOf } from '../inlines.ts';
import { filled, marked, paragraph } from '../nodes.ts';

/** Titles that only name the style. */
const DEFAULT_TITLE =
  /^(?:note|notes|info|information|important|see also|tip|hint|success|check|warning|caution|attention|danger|error|bug|failure|deprecated|notice)[:!]?$/i;

const TITLE =
  /^(?:admonition-title|custom-block-title|custom-container-title|hint-container-title|markdown-alert-title|alert-heading|admonitionHeading.*|admonition-heading|callout-title|callout-heading|hint-title|title)$/;

export const convertAdmonition: BlockConverter = (element, conversion) => {
  if (element.tagName === 'blockquote' && !isAdmonition(element, conversion.hints))
    return quoted(element, conversion);
  if (!isAdmonition(element, conversion.hints)) return undefined;
  const style = styleOf(element, conversion);
  if (conversion.hints.generator === 'docbook') removeLayout(element);
  const title = titleOf(element);
  const icon = iconOf(element);
  const content = withoutNodes(element, new Set([title, icon]));
  const nodes = filled(conversion.inner(content));
  const heading =
    title && !DEFAULT_TITLE.test(textOf(title))
      ? lineOf(
          title.childNodes.filter((node) => node !== icon),
          conversion,
        )
      : [];
  if (heading.length > 0) nodes.unshift(paragraph(marked(heading, 'bold')));
  return hint(style, nodes, conversion);
};

const hint = (style: HintStyle, nodes: BlockNode[], { isTooDeep }: Conversion): BlockNode[] =>
  nodes.length === 0 || isTooDeep ? nodes : [{ object: 'block', type: 'hint', data: { style }, nodes }];

/** Older stylesheets of DocBook lay a note out as a table of its icon, its title and its text. */
function removeLayout(element: Element): void {
  const [table, ...more] = elementsIn(element);
  if (table?.tagName !== 'table' || more.length > 0 || attribute(table, 'summary') === undefined) return;
  const cells = findAll(table, ({ tagName }) => tagName === 'th' || tagName === 'td');
  element.childNodes = cells.flatMap((cell): ChildNode[] => {
    if (cell.tagName === 'td') return attribute(cell, 'rowspan') === undefined ? cell.childNodes : [];
    const attrs = [{ name: 'class', value: 'title' }];
    const title: Element = { ...cell, tagName: 'h3', nodeName: 'h3', attrs, classes: undefined };
    return [title];
  });
}

/** The element's classes name its style, whole or as a part between hyphens. */
function styleOf(element: Element, { hints }: Conversion): HintStyle {
  const names = [
    attribute(element, 'data-callout-type') ?? '',
    ...classesOf(element),
    attribute(element, 'theme') ?? '',
  ];
  const words = names.flatMap((name) => name.toLowerCase().split(/[-_]+/)).toReversed();
  const styles = { ...HINT_STYLES, ...hints.admonitionStyles };
  // The last class is the most specific one; the word "hint" is also the name of the block.
  const found = words.filter((word) => Object.hasOwn(styles, word));
  const word = found.find((one) => one !== 'hint') ?? found[0];
  return (word === undefined ? undefined : styles[word]) ?? 'info';
}

function titleOf(element: Element): Element | undefined {
  const isTitle = (one: Element): boolean => classesOf(one).some((name) => TITLE.test(name));
  for (const child of elementsIn(element)) {
    if (isTitle(child)) return child;
    if (/^h[1-6]$/.test(child.tagName)) return undefined;
    const inner = elementsIn(child).find(isTitle);
    if (inner) return inner;
  }
  return undefined;
}

/** An emoji or an icon in an element of its own. */
const iconOf = (element: Element): Element | undefined =>
  find(element, (one) =>
    classesOf(one).some((name) => /^(?:icon|callout-icon|admonition-icon|aui-icon)$/.test(name)),
  );

/** The children without two of the descendants, which are replaced on the way to them. */
function withoutNodes(element: Element, left: ReadonlySet<Element | undefined>): ChildNode[] {
  return element.childNodes.flatMap((child): ChildNode[] => {
    if (!('tagName' in child)) return [child];
    if (left.has(child)) return [];
    const hasOne = child.childNodes.some((one) => 'tagName' in one && left.has(one));
    if (!hasOne) return [child];
    child.childNodes = child.childNodes.filter((one) => !('tagName' in one && left.has(one)));
    return [child];
  });
}

const MARKER = /^\[!(note|tip|important|warning|caution|danger|info)\][ \n]*/i;
const LEAD = /^(note|tip|important|warning|caution|danger|info|hint|attention)\s*:?$/i;

/** A quotation that begins with `[!NOTE]` or with a bold "Note:" is a hint. */
function quoted(element: Element, conversion: Conversion): BlockNode[] | undefined {
  const start = textOf(element).slice(0, 20);
  if (!/^(?:\[!)?(?:note|tip|important|warning|caution|danger|info|hint|attention)\b/i.test(start))
    return undefined;
  const nodes = filled(conversion.inner(element.childNodes));
  const [first, ...rest] = nodes;
  if (first?.type !== 'paragraph') return quotation(nodes, conversion);
  const found = withoutLead(first.nodes ?? []);
  if (!found) return quotation(nodes, conversion);
  const opening = filled([paragraph(found.nodes)]);
  return hint(HINT_STYLES[found.word] ?? 'info', [...opening, ...rest], conversion);
}

const quotation = (nodes: BlockNode[], { isTooDeep }: Conversion): BlockNode[] =>
  isTooDeep || nodes.length === 0 ? nodes : [{ object: 'block', type: 'blockquote', nodes }];

function withoutLead(nodes: readonly InlineContent[]): { word: string; nodes: InlineContent[] } | undefined {
  const [first, ...rest] = nodes;
  if (first?.object !== 'text') return undefined;
  const [leaf, next, ...leaves] = first.leaves;
  if (!leaf) return undefined;
  const left = (more: Leaf[]): InlineContent[] =>
    more.length === 0 ? trimStart(rest) : trimStart([{ ...first, leaves: more }, ...rest]);
  const marker = MARKER.exec(leaf.text)?.[1];
  if (marker !== undefined) {
    const text = leaf.text.replace(MARKER, '');
    const after = next ? [next, ...leaves] : leaves;
    return { word: marker.toLowerCase(), nodes: left(text === '' ? after : [{ ...leaf, text }, ...after]) };
  }
  const word = LEAD.exec(leaf.text)?.[1];
  const hasColon = leaf.text.endsWith(':') || next?.text.startsWith(':') === true;
  if (word === undefined || !hasColon || !leaf.marks.some(({ type }) => type === 'bold')) return undefined;
  const after = next ? [{ ...next, text: next.text.replace(/^:/, '') }, ...leaves] : leaves;
  return { word: word.toLowerCase(), nodes: left(after) };
}

/** Removes white space at the beginning. */
function trimStart(nodes: readonly InlineContent[]): InlineContent[] {
  const [first, ...rest] = nodes;
  if (first?.object !== 'text') return [...nodes];
  const [leaf, ...leaves] = first.leaves;
  if (!leaf) return trimStart(rest);
  const text = leaf.text.trimStart();
  if (text !== '') return [{ ...first, leaves: [{ ...leaf, text }, ...leaves] }, ...rest];
  return leaves.length === 0 ? trimStart(rest) : trimStart([{ ...first, leaves }, ...rest]);
}

export const convertQuote: BlockConverter = (element, conversion) =>
  element.tagName === 'blockquote'
    ? quotation(filled(conversion.inner(element.childNodes)), conversion)
    : undefined;
