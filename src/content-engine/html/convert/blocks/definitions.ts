import type { BlockNode, HeadingBlock } from '../../../document/index.ts';
import { attribute, classesOf, elementsIn, isElement, textOf, type Element } from '../../dom.ts';
import type { BlockConverter, Conversion } from '../context.ts';
import { inlinesOf } from '../inlines.ts';
import { listItem, mark, marked, paragraph, textNode, unorderedList } from '../nodes.ts';

/** `<dl>`: bold terms, each with its blocks; terms alone are a list. Signatures of an API reference are headings. */
export const convertDefinitions: BlockConverter = (element, conversion) => {
  if (element.tagName !== 'dl') return undefined;
  const entries = entriesOf(element);
  if (entries.length > 0 && entries.every((child) => isPlainTerm(child))) return listOf(entries, conversion);
  return entries.flatMap((child): BlockNode[] => {
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

/** Manuals list the pages of a chapter as terms without definitions. */
const isPlainTerm = (element: Element): boolean =>
  element.tagName === 'dt' && !classesOf(element).includes('sig');

function listOf(terms: readonly Element[], conversion: Conversion): BlockNode[] {
  const items = terms.map(({ childNodes }) => inlinesOf(childNodes, conversion));
  const nodes = items.filter((nodes) => nodes.length > 0).map((nodes) => listItem([paragraph(nodes)]));
  return nodes.length === 0 ? [] : [unorderedList(nodes)];
}

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
