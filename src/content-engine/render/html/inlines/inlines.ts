import {
  emojiOf,
  type BlockNode,
  type ButtonInline,
  type ImageInline,
  type InlineContent,
  type InlineNode,
  type InlineOf,
  type InlineType,
  type ParagraphBlock,
} from '../../../document/index.ts';
import { autolinked } from './autolinks.ts';
import type { Context, Renderer } from '../context.ts';
import { icon } from './icons.ts';
import { anchor, linked, mention } from './links.ts';
import { marked } from './marks.ts';
import { formula } from './math.ts';
import { element, type HtmlNode } from '../node.ts';
import { annotation, noteBlocks } from './notes.ts';
import { picture } from './picture.ts';

/** Text with its marks and inlines. */
export const inlines = (context: Context, nodes: readonly InlineContent[] = []): HtmlNode =>
  nodes.map(
    (node) => () =>
      node.object === 'text'
        ? marked(node.leaves, (text, isCode) => lines(context, text, isCode))
        : inline(context, node),
  );

/** The text of a paragraph without the paragraph, for places that contain text or blocks. */
export const richText = (context: Context, { nodes }: ParagraphBlock): HtmlNode => [
  inlines(context, nodes),
  noteBlocks(context, nodes),
];

/** One paragraph as its text, and other content as blocks. */
export function compact(context: Context, nodes: readonly BlockNode[]): HtmlNode {
  const [only, ...more] = nodes;
  return only?.type === 'paragraph' && more.length === 0
    ? richText(context, only)
    : context.blocks(context, nodes);
}

/** A line break in text is one in the page. */
function lines(context: Context, text: string, isCode: boolean): HtmlNode {
  const render = (line: string): HtmlNode => (isCode ? line : autolinked(context, line));
  if (!text.includes('\n')) return render(text);
  return text.split('\n').map((line, index) => [index === 0 ? undefined : element('br'), render(line)]);
}

const inline: Renderer<InlineNode> = (context, node) =>
  (RENDERERS[node.type] as Renderer<InlineNode>)(context, node);

const RENDERERS: { readonly [Type in InlineType]: Renderer<InlineOf<Type>> } = {
  link: (context, { data, nodes }) => linked(context, data.ref, (inner) => inlines(inner, nodes)),
  mention: (context, { data }) => mention(context, data.ref),
  annotation: (context, node) => annotation(context, node, inlines),
  'inline-image': inlineImage,
  emoji: (_, { data }) => emojiOf(data.code),
  icon: (context, { data }) => icon(context, data.icon),
  expression: (_, { data }) => element('code', { class: 'expression' }, data.expression),
  'inline-math': (context, { data }) => formula(context, data.formula, false),
  button,
};

function inlineImage(
  context: Context,
  { data: { ref, refDark, alt = '', caption, size } }: ImageInline,
): HtmlNode {
  const className = size === 'line' ? 'inline-image' : 'inline-image original';
  return picture(context, { ref, refDark, alt, className, title: caption }) ?? alt;
}

function button(context: Context, { data }: ButtonInline): HtmlNode {
  const { label, kind = 'primary', icon: name, size, ref, action } = data;
  const content = [name === undefined ? undefined : icon(context, name), label];
  const small = size === 'small' ? ' small' : '';
  const className = (kind === 'primary' ? 'button primary' : 'button') + small;
  if (context.isInteractive) return element('span', { class: className }, content);
  if (ref)
    return (
      anchor(context, ref, { class: className }, content) ?? element('span', { class: className }, content)
    );
  if (!action) return element('span', { class: className }, content);
  context.page.needs.add('action');
  const query = action.query ?? '';
  const attributes = { 'data-action': action.action, 'data-query': query };
  const href = context.options.actionHref?.(action.action, query);
  return href === undefined
    ? element('button', { type: 'button', class: `${className} needs-js`, ...attributes }, content)
    : element('a', { class: className, href, ...attributes }, content);
}
