import type { InlineContent, Mark, PlainMark } from './nodes.ts';

export const mark = (type: PlainMark): Mark => ({ object: 'mark', type });

/** The elements of HTML that marks are, on pages and in Markdown. */
export const MARK_ELEMENTS = {
  bold: 'strong',
  italic: 'em',
  strikethrough: 'del',
  superscript: 'sup',
  subscript: 'sub',
  keyboard: 'kbd',
  code: 'code',
} as const satisfies Record<PlainMark, string>;

/** Text with one more mark; links and images inside stay as they are. */
export const marked = (nodes: readonly InlineContent[], type: PlainMark): InlineContent[] =>
  nodes.map((node): InlineContent => {
    if (node.object === 'inline')
      return node.type === 'link' ? { ...node, nodes: marked(node.nodes ?? [], type) } : node;
    const leaves = node.leaves.map((leaf) =>
      leaf.marks.some((one) => one.type === type) ? leaf : { ...leaf, marks: [...leaf.marks, mark(type)] },
    );
    return { ...node, leaves };
  });
