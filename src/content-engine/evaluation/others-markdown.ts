import { isBudgetExceeded } from '../budget.ts';
import { plainDocument, withContent, type BlockNode, type BlockType } from '../document/index.ts';
import { parseDocument } from '../markdown/index.ts';

/** Blocks that only show what they hold. All others load or include something, or are controls. */
const SHOWN: ReadonlySet<BlockType> = new Set<BlockType>([
  'paragraph',
  'heading-1',
  'heading-2',
  'heading-3',
  'blockquote',
  'divider',
  'math',
  'list-unordered',
  'list-ordered',
  'list-tasks',
  'list-item',
  'code',
  'code-line',
  'hint',
  'expandable',
  'images',
  'image',
  'table',
]);

const MAX_NODES = 5_000;

/** Characters without a meaning in Markdown, in one line. */
const PLAIN = /^[\p{L}(][\p{L}\p{N} ,.;'"()-]*$/u;

/** The blocks of Markdown that is not content of a space, such as a description in a specification. */
export function othersMarkdown(text: string): BlockNode[] {
  if (PLAIN.test(text)) return plainDocument(text).nodes;
  try {
    return parseDocument(text, { maxNodes: MAX_NODES }).nodes.flatMap(shown);
  } catch (error) {
    if (!isBudgetExceeded(error)) throw error;
    return plainDocument(text).nodes;
  }
}

/** Its headings are below those of the page. */
function shown(block: BlockNode): BlockNode[] {
  if (!SHOWN.has(block.type)) return [];
  if (block.type === 'heading-1' || block.type === 'heading-2')
    return [{ ...block, type: 'heading-3' } as BlockNode];
  if (!block.nodes?.some(({ object }) => object === 'block')) return [block];
  return [withContent(block, { nodes: (block.nodes as BlockNode[]).flatMap(shown) })];
}
