import {
  childBlocks,
  expandableBody,
  expandableTitle,
  plainTextNode,
  textOfInlines,
  type BlockNode,
  type ImageBlock,
  type InlineContent,
} from '../../../document/index.ts';
import { listItem, marked, paragraph } from '../nodes.ts';

/** Blocks as a cell of a table can hold them: paragraphs, lists and code. Others are reduced to these. */
export function cellBlocks(blocks: readonly BlockNode[]): BlockNode[] {
  return blocks.flatMap((block): BlockNode[] => {
    switch (block.type) {
      case 'paragraph':
        return [paragraph(withoutNotes(block.nodes ?? []))];
      case 'code':
        return [block];
      case 'heading-1':
      case 'heading-2':
      case 'heading-3':
        return [paragraph(marked(withoutNotes(block.nodes ?? []), 'bold'))];
      case 'list-ordered':
      case 'list-unordered':
      case 'list-tasks': {
        const nodes = (block.nodes ?? []).map((item) => listItem(cellBlocks(item.nodes ?? [])));
        return block.type === 'list-ordered'
          ? [{ ...block, nodes }]
          : [{ object: 'block', type: 'list-unordered', nodes }];
      }
      case 'images':
        return (block.nodes ?? []).map(imageParagraph);
      case 'math':
        return [
          paragraph([
            { object: 'inline', type: 'inline-math', data: { formula: block.data.formula }, isVoid: true },
          ]),
        ];
      case 'embed':
        return [linkParagraph(block.data.url)];
      case 'expandable': {
        const title = expandableTitle(block).flatMap(({ nodes = [] }) => nodes);
        return [paragraph(marked(title, 'bold')), ...cellBlocks(expandableBody(block))];
      }
      case 'tabs':
        return (block.nodes ?? []).flatMap((tab) => [
          paragraph(marked([plainTextNode(tab.data?.title ?? '')], 'bold')),
          ...cellBlocks(tab.nodes ?? []),
        ]);
      case 'table':
        return (block.fragments ?? []).flatMap(({ nodes }) => nodes);
      case 'divider':
        return [];
      default:
        return cellBlocks(childBlocks(block));
    }
  });
}

const linkParagraph = (url: string): BlockNode =>
  paragraph([
    { object: 'inline', type: 'link', data: { ref: { kind: 'url', url } }, nodes: [plainTextNode(url)] },
  ]);

function imageParagraph({ data: { ref, alt } }: ImageBlock): BlockNode {
  const image = { ref, ...(alt === undefined ? {} : { alt }) };
  return paragraph([{ object: 'inline', type: 'inline-image', data: image, isVoid: true }]);
}

/** A footnote has no form in a cell: its text follows in parentheses. */
const withoutNotes = (nodes: readonly InlineContent[]): InlineContent[] =>
  nodes.map((node) => {
    if (node.object !== 'inline' || node.type !== 'annotation') return node;
    const texts = (node.fragments ?? []).flatMap(({ nodes: blocks }) =>
      blocks.map((block) => (block.type === 'paragraph' ? textOfInlines(block.nodes) : '')),
    );
    return plainTextNode(` (${texts.filter((text) => text !== '').join(' ')})`);
  });
