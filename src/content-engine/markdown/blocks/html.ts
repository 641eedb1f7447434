import { imageCaption, type BlockNode, type BlockOf, type ImageBlock } from '../../document/index.ts';
import { HtmlBlocks, isKnownHtml } from '../read/html/html-to-blocks.ts';
import { findAll, isElement, parseHtml } from '../read/html/html-tree.ts';
import { readTable } from '../read/html/html-table.ts';
import { joined } from '../read/span.ts';
import type { Token } from '../scan/token.ts';
import { escapeAttribute } from '../write/escape.ts';
import { imageElement } from '../write/image-element.ts';
import {
  linesOfHtml,
  type BlockReader,
  type BlockWriter,
  type MarkdownBlocks,
  type WriteBlock,
  writtenByContainer,
} from './kind.ts';

/** Blocks that are written as HTML: images, and all HTML for which the document model has blocks. */

export function readHtml(reader: BlockReader, token: Token): BlockNode[] | undefined {
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

function writeImages(writer: BlockWriter, { data, nodes = [] }: BlockOf<'images'>): string {
  const { align, fullWidth, withFrame } = data ?? {};
  const attributes = [
    align === undefined ? '' : ` align="${align}"`,
    fullWidth === true ? ' data-full-width="true"' : '',
    withFrame === true ? ' data-with-frame="true"' : '',
  ].join('');
  const figures = nodes.map((image) => writeFigure(writer, image));
  const isAlone = figures.length === 1 && attributes === '';
  return isAlone ? figures.join('') : `<div${attributes}>${figures.join(' ')}</div>`;
}

function writeFigure(writer: BlockWriter, image: ImageBlock): string {
  const caption = imageCaption(image);
  const text = caption.length > 0 ? `<p>${linesOfHtml(writer, caption)}</p>` : '';
  return `<figure>${imageElement(writer, image.data)}<figcaption>${text}</figcaption></figure>`;
}

const writeDrawing: WriteBlock<'drawing'> = (writer, { data }) => {
  const src = data?.ref ? ` src="${escapeAttribute(writer.href(data.ref, 'drawing'))}"` : '';
  return `<img${src} alt="" class="gitbook-drawing">`;
};

export const images = {
  images: { write: writeImages },
  image: writtenByContainer,
  drawing: { write: writeDrawing },
} satisfies Partial<MarkdownBlocks>;
