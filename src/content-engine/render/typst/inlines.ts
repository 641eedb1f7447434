import {
  emojiOf,
  fragmentBlocks,
  type AnnotationInline,
  type BlockNode,
  type ButtonInline,
  type ImageInline,
  type InlineContent,
  type InlineNode,
  type InlineOf,
  type InlineType,
  type Mark,
  type PlainMark,
  type TextNode,
} from '../../document/index.ts';
import { linked, titled } from './links.ts';
import { breakable, literal, words } from './literal.ts';
import { formula } from './math/index.ts';
import type { Context, Typesetter } from './context.ts';

/** Text with its marks and inlines, as content of Typst. */
export const inlines = (context: Context, nodes: readonly InlineContent[] = []): string =>
  nodes.map((node) => (node.object === 'text' ? text(node) : inline(context, node))).join('');

const text = (node: TextNode): string =>
  node.leaves.map((leaf) => (leaf.text === '' ? '' : marked(leaf.text, leaf.marks))).join('');

const MARKS: Readonly<Record<Exclude<PlainMark, 'code'>, string>> = {
  bold: 'strong',
  italic: 'emph',
  strikethrough: 'strike',
  superscript: 'super',
  subscript: 'sub',
  keyboard: 'kbd',
};

function marked(text: string, marks: readonly Mark[]): string {
  const isCode = marks.some((mark) => mark.type === 'code');
  let content = isCode ? `#raw(${literal(breakable(text))})` : words(text);
  for (const mark of marks) {
    if (mark.type === 'code') continue;
    content =
      mark.type === 'color'
        ? `#tint(${literal(mark.data.text)}, ${literal(mark.data.background)})[${content}]`
        : `#${MARKS[mark.type]}[${content}]`;
  }
  return content;
}

const inline: Typesetter<InlineNode> = (context, node) =>
  (TYPESETTERS[node.type] as Typesetter<InlineNode>)(context, node);

const TYPESETTERS: { readonly [Type in InlineType]: Typesetter<InlineOf<Type>> } = {
  link: (context, { data, nodes }) => linked(context, data.ref, inlines(context, nodes)),
  mention: (context, { data }) => titled(context, data.ref),
  annotation,
  'inline-image': inlineImage,
  emoji: (_, { data }) => words(emojiOf(data.code)),
  icon: () => '',
  expression: (_, { data }) => `#raw(${literal(breakable(data.expression))})`,
  'inline-math': (_, { data }) => formula(data.formula, false),
  button,
};

function inlineImage(context: Context, { data: { ref, alt = '', size } }: ImageInline): string {
  const path = context.picture(ref);
  if (path === undefined) return alt === '' ? '' : `#missing[${words(alt)}]`;
  const call = size === 'original' ? 'inline-picture' : 'line-picture';
  return `#${call}(${literal(path)}, ${literal(alt)})`;
}

function button(context: Context, { data: { label, kind, ref } }: ButtonInline): string {
  const content = `#button(${kind === 'secondary' ? 'false' : 'true'})[${words(label)}]`;
  return ref ? linked(context, ref, content) : content;
}

/** Annotations are footnotes. */
function annotation(context: Context, node: AnnotationInline): string {
  const content = opened(context, fragmentBlocks(node));
  return inlines(context, node.nodes) + (content === '' ? '' : `#footnote[${content}]`);
}

/** Blocks after a marker: the text of the first one begins on the same line. */
export function opened(context: Context, body: readonly BlockNode[]): string {
  const [first, ...rest] = body;
  if (first?.type !== 'paragraph') return context.blocks(context, body);
  return inlines(context, first.nodes) + (rest.length > 0 ? `\n${context.blocks(context, rest)}` : '');
}
