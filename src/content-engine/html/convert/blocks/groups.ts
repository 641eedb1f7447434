import { inlinesOf, type InlineContent, type StepBlock } from '../../../document/index.ts';
import { attribute, classesOf, find, findOuter, type Element } from '../../dom.ts';
import type { BlockConverter } from '../context.ts';
import { targetOf } from '../inlines.ts';
import { filled, listItem, marked, paragraph, unorderedList } from '../nodes.ts';

const hasName = (element: Element, pattern: RegExp): boolean =>
  classesOf(element).some((name) => pattern.test(name));

/** Steps of a procedure. */
export const convertSteps: BlockConverter = (element, conversion) => {
  if (!hasName(element, /^(?:steps|stepper)$/) || element.tagName === 'ol') return undefined;
  const steps = findOuter(
    element,
    (one) => hasName(one, /^step$/) || attribute(one, 'data-component-part') === 'step',
  );
  if (steps.length === 0 || conversion.isTooDeep) return undefined;
  const nodes = steps.flatMap((step): StepBlock[] => {
    const content = filled(conversion.inner(withTitle(step)));
    return content.length === 0 ? [] : [{ object: 'block', type: 'stepper-step', data: {}, nodes: content }];
  });
  return nodes.length === 0 ? [] : [{ object: 'block', type: 'stepper', nodes }];
};

/** The title of a step is a heading, so that it can be linked to. */
function withTitle(step: Element): Element['childNodes'] {
  const title = find(
    step,
    (one) => hasName(one, /^step-title$/) || attribute(one, 'data-component-part') === 'step-title',
  );
  if (title && !/^h[1-6]$/.test(title.tagName)) {
    title.tagName = 'h3';
    title.nodeName = 'h3';
  }
  return step.childNodes.filter(
    (node) => !('tagName' in node && hasName(node, /^step-(?:number|line|icon)$/)),
  );
}

/** A group of cards is a list, each item with the link of the card. */
export const convertCards: BlockConverter = (element, conversion) => {
  if (!hasName(element, /^(?:card-group|cards|card-grid|cardgroup|sd-cards)$/) || conversion.isTooDeep)
    return undefined;
  if (element.tagName === 'ul') return undefined;
  const cards = findOuter(element, (one) => one.tagName === 'a' || hasName(one, /^(?:card|sd-card)$/));
  if (cards.length < 2) return undefined;
  const items = cards.map((card) => filled(conversion.inner([card]))).filter((nodes) => nodes.length > 0);
  return items.length === 0 ? [] : [unorderedList(items.map((nodes) => listItem(nodes)))];
};

/** A link around blocks: the first of them becomes the link, because only text can be one. */
export const convertBlockLink: BlockConverter = (element, conversion) => {
  if (element.tagName !== 'a' || !conversion.measures(element).block) return undefined;
  const blocks = filled(conversion.blocks(element.childNodes));
  const href = attribute(element, 'href');
  const target = href === undefined ? undefined : targetOf(element, href, conversion);
  const [first, ...rest] = blocks;
  const text = first && inlinesOf(first);
  if (!target || !text || text.some((node) => node.object === 'inline' && node.type === 'link'))
    return blocks;
  const isTitle = first.type !== 'paragraph';
  const link: InlineContent = {
    object: 'inline',
    type: 'link',
    data: { ref: target.ref },
    nodes: isTitle ? marked(text, 'bold') : text,
  };
  return [paragraph([link]), ...rest];
};
