import type { BlockNode, HeadingBlock } from '../../document/index.ts';
import { attribute, classesOf, elementsIn, isElement, textOf, type Element } from '../dom.ts';
import type { BlockConverter, Conversion } from './context.ts';
import { inlinesOf } from './inlines.ts';
import { marked, paragraph, textNode, mark } from './nodes.ts';

/** `<dl>`: bold terms, each with its blocks. Signatures of an API reference are headings. */
export const convertDefinitions: BlockConverter = (element, conversion) => {
  if (element.tagName !== 'dl') return undefined;
  return entriesOf(element).flatMap((child): BlockNode[] => {
    if (child.tagName === 'dt') return termOf(child, conversion);
    return conversion.blocks(child.tagName === 'dd' ? child.childNodes : [child]);
  });
};

/** Terms and definitions may be grouped by `<div>`. */
const entriesOf = (list: Element): Element[] =>
  elementsIn(list).flatMap((child) =>
    child.tagName === 'div' && child.childNodes.some((one) => isElement(one) && /^d[td]$/.test(one.tagName))
      ? elementsIn(child)
      : [child],
  );

function termOf(term: Element, conversion: Conversion): BlockNode[] {
  if (classesOf(term).includes('sig')) {
    const text = textOf(term).replace(/(?<!\s)\s+(?=[,)\]])|(?<=[([])\s+/g, '');
    if (text === '') return [];
    const id = conversion.headings.explicitId(attribute(term, 'id'), text);
    const nodes = [textNode(text, [mark('code')])];
    const data = id === undefined ? {} : { id };
    const block: HeadingBlock = { object: 'block', type: 'heading-3', data, nodes };
    conversion.headings.blockOf.set(term, block);
    return [block];
  }
  const nodes = inlinesOf(term.childNodes, conversion);
  return nodes.length === 0 ? [] : [paragraph(marked(nodes, 'bold'))];
}
