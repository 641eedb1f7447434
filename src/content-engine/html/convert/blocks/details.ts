import {
  EXPANDABLE_BODY,
  EXPANDABLE_TITLE,
  type BlockNode,
  type InlineContent,
} from '../../../document/index.ts';
import {
  attribute,
  classesOf,
  eachNode,
  elementsIn,
  isElement,
  type ChildNode,
  type Element,
} from '../../dom.ts';
import type { BlockConverter, Conversion } from '../context.ts';
import { lineOf } from '../inlines.ts';
import { filled, marked, paragraph, plainParagraph } from '../nodes.ts';

/** Content that is shown on demand. */
export const convertDetails: BlockConverter = (element, conversion) => {
  if (element.tagName === 'details') {
    const summary = elementsIn(element).find(({ tagName }) => tagName === 'summary');
    const rest = element.childNodes.filter((node) => node !== summary);
    const title = summary ? lineOf(summary.childNodes, conversion) : [];
    const isOpen = attribute(element, 'open') !== undefined && conversion.hints.opensDetails !== true;
    return expandable(title, rest, isOpen, conversion);
  }
  if (!classesOf(element).includes('expand-container')) return undefined;
  const withClass = (name: string): Element | undefined => partOf(element, name);
  const title = withClass('expand-control-text') ?? withClass('expand-control');
  const content = withClass('expand-content');
  if (!title || !content) return undefined;
  return expandable(lineOf(title.childNodes, conversion), content.childNodes, false, conversion);
};

/** The first descendant with a class that is not inside of another expandable. */
function partOf(container: Element, name: string): Element | undefined {
  let found: Element | undefined;
  eachNode(container, (node) => {
    if (found || !isElement(node)) return false;
    if (classesOf(node).includes(name)) found = node;
    return !classesOf(node).includes('expand-container');
  });
  return found;
}

function expandable(
  title: InlineContent[],
  content: readonly ChildNode[],
  isOpen: boolean,
  conversion: Conversion,
): BlockNode[] {
  const nodes = filled(
    conversion.inner(content.filter((node) => isElement(node) || node.nodeName === '#text')),
  );
  if (conversion.isTooDeep || nodes.length === 0)
    return title.length === 0 ? nodes : [paragraph(marked(title, 'bold')), ...nodes];
  const heading = title.length === 0 ? plainParagraph('Details') : paragraph(title);
  return [
    {
      object: 'block',
      type: 'expandable',
      data: isOpen ? { defaultExpanded: true } : {},
      fragments: [
        { object: 'fragment', fragment: EXPANDABLE_TITLE, type: EXPANDABLE_TITLE, nodes: [heading] },
        { object: 'fragment', fragment: EXPANDABLE_BODY, type: EXPANDABLE_BODY, nodes },
      ],
      isVoid: true,
    },
  ];
}
