import type { BlockNode } from '../../../document/index.ts';
import { isElement, isText, textOf, type ChildNode, type Element } from '../../dom.ts';
import { MAX_DEPTH, MAX_NESTING } from '../../limits.ts';
import { isBlockElement } from '../../main-content/measure.ts';
import { convertAdmonition, convertQuote } from './admonitions.ts';
import { convertCode } from './code.ts';
import type { BlockConverter, Conversion } from '../context.ts';
import { convertDefinitions } from './definitions.ts';
import { convertDetails } from './details.ts';
import { convertEmbed } from './embeds.ts';
import { convertFootnotes } from '../footnotes.ts';
import { convertBlockLink, convertCards, convertSteps } from './groups.ts';
import { convertHeading } from '../headings.ts';
import { inlinesOf, paragraphsOf } from '../inlines.ts';
import { convertList, joinList, levelOf } from './lists.ts';
import { convertMath } from '../math.ts';
import { addCaption, convertFigure, loneImage } from '../media.ts';
import { plainParagraph } from '../nodes.ts';
import { convertTable } from './tables.ts';
import { convertTabsAt, convertTabSet } from './tabs.ts';

/** Converters in the order in which they are asked: the more specific ones first. */
const CONVERTERS: readonly BlockConverter[] = [
  convertFootnotes,
  convertMath,
  convertAdmonition,
  convertTabSet,
  convertSteps,
  convertCards,
  convertDetails,
  convertCode,
  convertTable,
  convertList,
  convertDefinitions,
  convertFigure,
  convertEmbed,
  convertHeading,
  convertQuote,
  (element) =>
    element.tagName === 'hr' ? [{ object: 'block', type: 'divider', data: {}, isVoid: true }] : undefined,
  convertBlockLink,
];

/** The facts of a page; the services of `Conversion` are added here. */
export type PageFacts = Omit<Conversion, 'blocks' | 'inner' | 'isTooDeep' | 'inlines' | 'paragraphs'>;

export function convertBlocks(main: Element, facts: PageFacts): BlockNode[] {
  let depth = 0;
  let nesting = 0;
  const conversion: Conversion = {
    ...facts,
    get isTooDeep() {
      return nesting >= MAX_NESTING;
    },
    blocks(nodes) {
      if (depth >= MAX_DEPTH) return textBlocks(nodes);
      depth++;
      const blocks = blocksOf(nodes, conversion);
      depth--;
      return blocks;
    },
    inner(nodes) {
      nesting++;
      const blocks = conversion.blocks(nodes);
      nesting--;
      return blocks;
    },
    inlines: (nodes) => inlinesOf(nodes, conversion),
    paragraphs: (nodes) => loneImage(nodes, conversion) ?? paragraphsOf(nodes, conversion),
  };
  return conversion.blocks(main.childNodes);
}

const textBlocks = (nodes: readonly ChildNode[]): BlockNode[] =>
  nodes
    .map(textOf)
    .filter((text) => text !== '')
    .map(plainParagraph);

function blocksOf(nodes: readonly ChildNode[], conversion: Conversion): BlockNode[] {
  const blocks: BlockNode[] = [];
  let line: ChildNode[] = [];
  const endLine = (): void => {
    if (line.some((node) => !isText(node) || node.value.trim() !== ''))
      blocks.push(...conversion.paragraphs(line));
    line = [];
  };
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index] as ChildNode;
    if (!isElement(node) || !(isBlockElement(node) || conversion.measures(node).block)) {
      if (isElement(node) || isText(node)) line.push(node);
      continue;
    }
    endLine();
    const tabs = convertTabsAt(nodes, index, conversion);
    if (tabs) {
      blocks.push(...tabs.blocks);
      index += tabs.length - 1;
    } else addBlocks(blocks, node, conversion);
  }
  endLine();
  return blocks;
}

function addBlocks(blocks: BlockNode[], element: Element, conversion: Conversion): void {
  const { hints } = conversion;
  if (addCaption(blocks.at(-1), element, conversion)) return;
  for (const block of convertElement(element, conversion)) {
    const isJoined = hints.splitsLists === true && joinList(blocks.at(-1), block, levelOf(element));
    if (!isJoined) blocks.push(block);
  }
}

function convertElement(element: Element, conversion: Conversion): readonly BlockNode[] {
  for (const convert of CONVERTERS) {
    const blocks = convert(element, conversion);
    if (blocks) return blocks;
  }
  // An element that nothing converts is its content: text is never lost.
  return conversion.blocks(element.childNodes);
}
