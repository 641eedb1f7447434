import { preInCell } from '../blocks/code.ts';
import { writePageRef } from '../blocks/references.ts';
import {
  imageCaption,
  textOfInlines,
  type BlockNode,
  type ImageInline,
  type ImagesBlock,
} from '../../document/index.ts';
import type { Token } from '../scan/token.ts';
import { writeTable } from '../write/table.ts';
import type { Writer } from '../write/writer.ts';

/**
 * A block with two forms in Markdown in the form that it has in the source, so that the edit of a cell does not change
 * other cells. Undefined: the writer chooses the form.
 */
export function inSourceForm(writer: Writer, { kind, tag }: Token, block: BlockNode): string | undefined {
  if (block.type === 'content-ref' && tag?.name === 'page-ref') return writePageRef(writer, block);
  if (block.type === 'table' && kind === 'html') return writeTable(writer, block, true);
  if (block.type === 'code' && kind === 'html') return preInCell(writer, block);
  const image = block.type === 'images' && kind === 'paragraph' ? imageIn(block) : undefined;
  return image && writer.line([image]);
}

/** The image of a block that has no more than `![alt](src "caption")` can express. */
function imageIn({ data = {}, nodes = [] }: ImagesBlock): ImageInline | undefined {
  const [image, ...more] = nodes;
  if (!image || more.length > 0 || Object.keys(data).length > 0) return undefined;
  if (Object.keys(image.data).some((name) => name !== 'ref' && name !== 'alt')) return undefined;
  const [paragraph, ...others] = imageCaption(image);
  const content = paragraph?.nodes ?? [];
  const isPlain = content.every(
    (node) => node.object === 'text' && node.leaves.every(({ marks }) => marks.length === 0),
  );
  if (others.length > 0 || !isPlain) return undefined;
  const { ref, alt } = image.data;
  const caption = textOfInlines(content);
  return {
    object: 'inline',
    type: 'inline-image',
    data: { ref, ...(alt === undefined ? {} : { alt }), ...(caption === '' ? {} : { caption }) },
    isVoid: true,
  };
}
