import type { BlockNode, ContentRef, InlineNode, Mark, TextNode } from '../../markdown/index.ts';
import { inlinesOf, stringOf, type InlineContent } from '../../document/nodes.ts';
import { emojiOf } from '../../document/text.ts';
import { linked, titled } from './links.ts';
import { breakable, literal, words } from './literal.ts';
import { formula } from './math/index.ts';
import type { Setting } from './context.ts';

/** Text with its marks and what stands in it, as content of Typst. */
export const inlines = (setting: Setting, nodes: readonly InlineContent[]): string =>
  nodes.map((node) => (node.object === 'text' ? text(node) : inline(setting, node))).join('');

const text = (node: TextNode): string =>
  node.leaves.map((leaf) => (leaf.text === '' ? '' : marked(leaf.text, leaf.marks))).join('');

const MARKS: Readonly<Record<string, string>> = {
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
  for (const { type, data } of marks) {
    const call = MARKS[type];
    if (call !== undefined) content = `#${call}[${content}]`;
    else if (type === 'color')
      content = `#tint(${literal(String(data?.text))}, ${literal(String(data?.background))})[${content}]`;
  }
  return content;
}

function inline(setting: Setting, node: InlineNode): string {
  const data = node.data ?? {};
  const ref = data['ref'] as ContentRef | undefined;
  switch (node.type) {
    case 'link':
      return linked(setting, ref, inlines(setting, node.nodes ?? []));
    case 'emoji':
      return words(emojiOf(stringOf(data, 'code') ?? ''));
    case 'inline-math':
      return formula(stringOf(data, 'formula') ?? '', false);
    case 'inline-image':
      return inlineImage(setting, node);
    case 'mention':
      return titled(setting, ref);
    case 'button':
      return button(setting, node);
    case 'expression':
      return `#raw(${literal(breakable(stringOf(data, 'expression') ?? ''))})`;
    case 'annotation':
      return annotation(setting, node);
    case 'icon':
      return '';
    default:
      return inlines(setting, node.nodes ?? []);
  }
}

function inlineImage(setting: Setting, { data = {} }: InlineNode): string {
  const alt = stringOf(data, 'alt') ?? '';
  const path = setting.picture(data['ref']);
  if (path === undefined) return alt === '' ? '' : `#missing[${words(alt)}]`;
  const call = data['size'] === 'original' ? 'inline-picture' : 'line-picture';
  return `#${call}(${literal(path)}, ${literal(alt)})`;
}

function button(setting: Setting, { data = {} }: InlineNode): string {
  const label = `#button(${data['kind'] === 'secondary' ? 'false' : 'true'})[${words(stringOf(data, 'label') ?? '')}]`;
  return linked(setting, data['ref'] as ContentRef | undefined, label);
}

/** The remark on a text stands at the foot of the page. */
function annotation(setting: Setting, node: InlineNode): string {
  const body = (node.fragments ?? []).flatMap((fragment) => fragment.nodes);
  const content = opened(setting, body);
  return inlines(setting, node.nodes ?? []) + (content === '' ? '' : `#footnote[${content}]`);
}

/** Blocks behind a marker: the text of the first one stands on its line. */
export function opened(setting: Setting, body: readonly BlockNode[]): string {
  const [first, ...rest] = body;
  if (first?.type !== 'paragraph') return setting.blocks(setting, body);
  return inlines(setting, inlinesOf(first)) + (rest.length > 0 ? `\n${setting.blocks(setting, rest)}` : '');
}
