import { parseDocument, plainText, type BlockNode } from '../markdown/index.ts';

/** A block as far as a comment on it needs to know it. */
export interface AnchorBlock {
  /** The beginning of its text. */
  readonly preview: string;
  /** Of a table: the names of its rows and columns, in order. */
  readonly table?: { readonly records: readonly string[]; readonly definitions: readonly string[] };
}

const LONGEST_PREVIEW = 200;

/** Every block of a body by its key, those inside others too. */
export function readBlocks(body: string): Map<string, BlockNode> {
  const blocks = new Map<string, BlockNode>();
  const ahead: NonNullable<BlockNode['nodes']> = [...parseDocument(body).nodes];
  for (let node = ahead.pop(); node; node = ahead.pop()) {
    if (node.object !== 'block') continue;
    if (node.key !== undefined) blocks.set(node.key, node);
    for (const child of node.nodes ?? []) ahead.push(child);
    for (const { nodes } of node.fragments ?? []) for (const child of nodes) ahead.push(child);
  }
  return blocks;
}

/** Those of the keys that the body has. */
export function anchorsIn(
  blocks: ReadonlyMap<string, BlockNode>,
  keys: Iterable<string>,
): Map<string, AnchorBlock> {
  const found = new Map<string, AnchorBlock>();
  for (const key of keys) {
    const block = blocks.get(key);
    if (block) found.set(key, anchorOf(block));
  }
  return found;
}

function anchorOf(block: BlockNode): AnchorBlock {
  const preview = previewOf(block);
  if (block.type !== 'table') return { preview };
  const namesOf = (member: string) => Object.keys((block.data?.[member] ?? {}) as object);
  return { preview, table: { records: namesOf('records'), definitions: namesOf('definition') } };
}

function previewOf(block: BlockNode): string {
  const text = plainText({ object: 'document', data: {}, nodes: [block] });
  // The database's text and JSON can hold everything but NUL, and halves of characters.
  const letters = [
    ...text
      .slice(0, 2 * LONGEST_PREVIEW)
      .replaceAll('\u0000', '')
      .toWellFormed(),
  ];
  return letters.slice(0, LONGEST_PREVIEW).join('');
}
