import {
  documentOfBlocks,
  plainText,
  withContent,
  type BlockNode,
  type BlockOf,
  type InlineContent,
  type InlineNode,
  type JSONDocument,
} from '../document/index.ts';
import { parseDocument } from '../markdown/index.ts';
import type { PartView } from '../openapi/index.ts';
import { modelText, operationText } from './openapi-text.ts';
import { withWrittenOperations, writtenParts } from './written-operations.ts';

type OpenAPIBlock = BlockOf<'swagger' | 'openapi-operation' | 'openapi-webhook' | 'openapi-schemas'>;

interface Expansion {
  /** The parts of a block; undefined for a specification that is unknown. */
  readonly partsOf: (
    block: OpenAPIBlock,
  ) => { readonly spec: string; readonly views: readonly (PartView | undefined)[] } | undefined;
  /** The title of the page: an operation does not repeat the title above it. */
  readonly pageTitle: string;
}

/** Replaces blocks of OpenAPI specifications by their text. Blocks of unknown specifications stay. */
export const expandOpenAPI = (document: JSONDocument, expansion: Expansion): JSONDocument => ({
  ...document,
  nodes: expandBlocks(withWrittenOperations(document).nodes, expansion),
});

function expandBlocks(blocks: readonly BlockNode[], expansion: Expansion): BlockNode[] {
  let above = expansion;
  return blocks.flatMap((block) => {
    if (block.type.startsWith('heading-'))
      above = { ...expansion, pageTitle: plainText(documentOfBlocks([block])).trim() };
    return expandBlock(block, above);
  });
}

function expandBlock(block: BlockNode, expansion: Expansion): BlockNode[] {
  switch (block.type) {
    case 'swagger':
    case 'openapi-operation':
    case 'openapi-webhook':
    case 'openapi-schemas': {
      const found = writtenParts(block) ?? expansion.partsOf(block);
      return found ? parseDocument(textOf(block, found, expansion.pageTitle)).nodes : [block];
    }
    default:
      return [expandChildren(block, expansion)];
  }
}

function textOf(
  block: OpenAPIBlock,
  { spec, views }: { readonly spec: string; readonly views: readonly (PartView | undefined)[] },
  pageTitle: string,
): string {
  return views
    .map((view, index) => {
      if (view?.kind === 'schema') return modelText(view);
      if (view?.kind === 'operation' || view?.kind === 'webhook')
        return operationText(view, view.title === pageTitle ? undefined : view.title);
      const name = block.type === 'openapi-schemas' ? block.data.schemas[index] : nameOf(block);
      return `\`${(name ?? '').replaceAll(/[`\s]+/g, ' ')}\` is no longer part of the specification \`${spec}\`.`;
    })
    .join('\n\n');
}

const nameOf = ({ data }: Exclude<OpenAPIBlock, BlockOf<'openapi-schemas'>>): string =>
  `${data.method.toUpperCase()} ${'path' in data ? data.path : data.name}`;

function expandChildren<Node extends BlockNode | InlineNode>(node: Node, expansion: Expansion): Node {
  const { nodes, fragments } = node;
  const expanded = (child: BlockNode | InlineContent): (BlockNode | InlineContent)[] =>
    child.object === 'block' ? expandBlock(child, expansion) : [child];
  return withContent(node, {
    ...(nodes ? { nodes: nodes.flatMap(expanded) } : {}),
    ...(fragments
      ? {
          fragments: fragments.map((one) => ({
            ...one,
            nodes: expandBlocks(one.nodes, expansion),
          })),
        }
      : {}),
  });
}
