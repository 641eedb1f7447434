import { blocksOf, type BlockNode } from '../../document/nodes.ts';
import { HtmlBlocks, isKnownHtml } from '../read/html-blocks.ts';
import { findAll, isElement, parseHtml } from '../read/html-tree.ts';
import { readTable } from '../read/html-table.ts';
import { joined } from '../read/span.ts';
import type { Token } from '../scan/token.ts';
import { escapeAttribute } from '../write/escape.ts';
import { pictureText } from '../write/image-element.ts';
import { fragmentBlocks, linesOfHtml, type BlockKind, type BlockReader, type BlockWriter } from './kind.ts';

/** Blocks that are written as HTML: images, tables, and whatever HTML the model has blocks for. */

export const html: BlockKind = {
  type: 'images',
  token: 'html',
  read: (reader, token) => readHtml(reader, token),
  write: writeImages,
};

function readHtml(reader: BlockReader, token: Token): BlockNode[] | undefined {
  const span = joined(reader.reading.src, token.lines ?? []);
  const tree = parseHtml(span, reader.reading.work);
  if (token.name === 'table') {
    const [table] = findAll(tree, 'table');
    const alone = tree.every(
      (node) => node === table || (!isElement(node) && span.text.slice(node.from, node.to).trim() === ''),
    );
    return table && alone ? [readTable(reader.reading, span, table)] : undefined;
  }
  if (!isKnownHtml(tree)) return undefined;
  return new HtmlBlocks(reader.reading, span, reader.reading.depth).read(tree);
}

function writeImages(writer: BlockWriter, block: BlockNode): string {
  const { align, fullWidth, withFrame } = block.data ?? {};
  const attributes = [
    typeof align === 'string' ? ` align="${align}"` : '',
    fullWidth === true ? ' data-full-width="true"' : '',
    withFrame === true ? ' data-with-frame="true"' : '',
  ].join('');
  const figures = blocksOf(block).map((image) => writeFigure(writer, image));
  const only = figures.length === 1 && attributes === '';
  return only ? (figures[0] as string) : `<div${attributes}>${figures.join(' ')}</div>`;
}

function writeFigure(writer: BlockWriter, image: BlockNode): string {
  const caption = fragmentBlocks(image, 'caption');
  const text = caption.length > 0 ? `<p>${linesOfHtml(writer, caption)}</p>` : '';
  return `<figure>${pictureText(writer, image.data ?? {})}<figcaption>${text}</figcaption></figure>`;
}

export const drawing: BlockKind = {
  type: 'drawing',
  write: (writer, block) => {
    const ref = block.data?.['ref'];
    const src = ref ? ` src="${escapeAttribute(writer.href(ref, 'drawing'))}"` : '';
    return `<img${src} alt="" class="gitbook-drawing">`;
  },
};
