import {
  fragmentBlocks,
  ownText,
  type AnnotationInline,
  type BlockNode,
  type InlineContent,
} from '../../../document/index.ts';
import { apart, interactive, type Context } from '../context.ts';
import { element, type HtmlNode } from '../node.ts';

/**
 * Annotations: a button that opens a popover. A note of one paragraph follows its button. Other notes contain blocks,
 * which a paragraph cannot: they follow the paragraph.
 */

type InlineRenderer = (context: Context, nodes: readonly InlineContent[] | undefined) => HtmlNode;

export function annotation(context: Context, node: AnnotationInline, inlines: InlineRenderer): HtmlNode {
  const note = fragmentBlocks(node);
  const text = inlines(interactive(context), node.nodes);
  if (note.length === 0) return text;
  if (context.isInteractive) return element('abbr', { title: textOf(note) }, text);
  const id = context.page.newId('note');
  const hasText = (node.nodes ?? []).length > 0;
  const attributes = { type: 'button', class: 'note', popovertarget: id };
  const button = element('button', attributes, hasText ? text : numberOf(context));
  const [only, ...more] = note;
  if (only?.type === 'paragraph' && more.length === 0) {
    const inner = inlines(apart(context), only.nodes);
    return [button, element('span', { class: 'pop', id, popover: true }, inner)];
  }
  context.page.pendingNotes.set(node, id);
  return button;
}

/** The number of a note without text. */
const numberOf = ({ page, words }: Context): HtmlNode => [
  element('span', { class: 'hidden' }, `${words.footnote} `),
  element('sup', {}, String(page.count('~footnote'))),
];

const textOf = (blocks: readonly BlockNode[]): string =>
  blocks.map((block) => ownText(block) ?? '').join(' ');

/** The notes of a paragraph that must follow it. */
export const noteBlocks =
  (context: Context, nodes: readonly InlineContent[] = []): HtmlNode =>
  () => {
    if (context.page.pendingNotes.size === 0) return undefined;
    return nodes.map((node) => noteOf(context, node));
  };

function noteOf(context: Context, node: InlineContent): HtmlNode {
  if (node.object !== 'inline' || node.type !== 'annotation') return undefined;
  const id = context.page.pendingNotes.get(node);
  if (id === undefined) return undefined;
  context.page.pendingNotes.delete(node);
  return element(
    'div',
    { class: 'pop flow', id, popover: true },
    context.blocks(apart(context), fragmentBlocks(node)),
  );
}
