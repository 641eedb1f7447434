import {
  headingLevel,
  isEmpty,
  ownText,
  type Alignment,
  type DividerBlock,
  type HeadingBlock,
  type InlineContent,
  type MathBlock,
  type ParagraphBlock,
  type QuoteBlock,
} from '../../../document/index.ts';
import { shorten } from '../../../shorten.ts';
import { interactive, type Context, type Renderer } from '../context.ts';
import { inlines } from '../inlines/inlines.ts';
import { formula } from '../inlines/math.ts';
import { element, type HtmlNode } from '../node.ts';
import { noteBlocks } from '../inlines/notes.ts';

const classOf = (align: Alignment | undefined): string | undefined =>
  align === undefined || align === 'start' ? undefined : align;

export const paragraph: Renderer<ParagraphBlock> = (context, block) => {
  const { data, nodes = [] } = block;
  if (isEmpty(block)) return undefined;
  const isButtons = nodes.every((node) => isButton(node) || isSpace(node)) && nodes.some(isButton);
  const shown = isButtons ? nodes.filter(isButton) : nodes;
  const classes = [isButtons ? 'buttons' : undefined, classOf(data?.align)].filter(Boolean).join(' ');
  const content = inlines(context, shown);
  return [element('p', { class: classes || undefined }, content), noteBlocks(context, shown)];
};

const isButton = (node: InlineContent): boolean => node.object === 'inline' && node.type === 'button';
const isSpace = (node: InlineContent): boolean =>
  node.object === 'text' && node.leaves.every(({ text }) => text.trim() === '');

/** The length of a heading in the outline, and in the names of the blocks below it. */
const MAX_TITLE = 300;

/** The page has the `h1`: the first level of the body is `h2`. */
const NAMES = { 1: 'h2', 2: 'h3', 3: 'h4' } as const;

export const heading: Renderer<HeadingBlock> = (context, block) => {
  const level = headingLevel(block) || 1;
  const { nodes = [], data } = block;
  const title = shorten((ownText(block) ?? '').trim(), MAX_TITLE);
  const id = context.page.idOf(block.meta?.id, context.within.length > 0);
  if (title !== '') {
    context.page.heading = { level: level + 1, title };
    if (id !== undefined && context.isInOutline) context.page.addToOutline({ id, title, level });
  }
  const attributes = { id, class: classOf(data?.align) };
  return [element(NAMES[level], attributes, headingContent(context, id, nodes)), noteBlocks(context, nodes)];
};

/** The text is the link to the heading, unless it contains links itself. */
function headingContent(context: Context, id: string | undefined, nodes: readonly InlineContent[]): HtmlNode {
  if (id === undefined || context.isInteractive) return inlines(context, nodes);
  const href = `#${id}`;
  if (!nodes.some(isInteractive)) return element('a', { href }, inlines(interactive(context), nodes));
  const label = element('span', { class: 'hidden' }, context.words.linkToSection);
  return [element('a', { href }, label), element('span', {}, inlines(context, nodes))];
}

function isInteractive(node: InlineContent): boolean {
  if (node.object === 'text') return false;
  return (
    node.type === 'link' || node.type === 'mention' || node.type === 'button' || node.type === 'annotation'
  );
}

export const quote: Renderer<QuoteBlock> = (context, { nodes = [] }) =>
  element('blockquote', {}, context.blocks(context, nodes));

export const divider: Renderer<DividerBlock> = () => element('hr');

export const math: Renderer<MathBlock> = (context, { data }) =>
  element('div', { class: 'math', tabindex: '0' }, formula(context, data.formula, true));
