import { preInCell } from '../blocks/code.ts';
import { fragmentBlocks } from '../blocks/kind.ts';
import { pageRef } from '../blocks/references.ts';
import { inlinesOf, type BlockNode, type InlineNode } from '../../document/nodes.ts';
import type { Token } from '../scan/token.ts';
import { textOfInlines } from '../../document/text.ts';
import { writeTable } from '../write/table.ts';
import type { Writer } from '../write/writer.ts';

/**
 * Blocks that Markdown has two forms for are written in the one that they have in the source, so that the edit of a cell
 * does not touch the others. Undefined: it is for the writer to choose.
 */
export function inSourceForm(writer: Writer, { kind, tag }: Token, block: BlockNode): string | undefined {
  if (block.type === 'content-ref' && tag?.name === 'page-ref') return pageRef.write(writer, block);
  if (block.type === 'table' && kind === 'html') return writeTable(writer, block, true);
  if (block.type === 'code' && kind === 'html') return preInCell(writer, block);
  const image = block.type === 'images' && kind === 'paragraph' ? imageIn(block) : undefined;
  return image && writer.line([image]);
}

/** The image of a block that says no more than `![alt](src "caption")` can. */
function imageIn({ data = {}, nodes = [] }: BlockNode): InlineNode | undefined {
  const [image, ...more] = nodes as BlockNode[];
  if (!image || more.length > 0 || Object.keys(data).length > 0) return undefined;
  if (Object.keys(image.data ?? {}).some((name) => name !== 'ref' && name !== 'alt')) return undefined;
  const [paragraph, ...others] = fragmentBlocks(image, 'caption');
  const content = paragraph ? inlinesOf(paragraph) : [];
  const plain = content.every(
    (node) => node.object === 'text' && node.leaves.every(({ marks }) => marks.length === 0),
  );
  if (others.length > 0 || !plain) return undefined;
  const caption = textOfInlines(content);
  return {
    object: 'inline',
    type: 'inline-image',
    data: { ...image.data, ...(caption === '' ? {} : { caption }) },
    isVoid: true,
  };
}
