import { documentOfBlocks } from '../create.ts';
import type { BlockNode, JSONDocument } from '../nodes.ts';
import { plainText } from './text.ts';
import { childBlocks, fragmentBlocks } from '../walk.ts';

/** A block as the anchor of a comment. */
export interface AnchorBlock {
  /** The beginning of its text. */
  readonly preview: string;
  /** The ids of the rows and columns of a table, in order. */
  readonly table?: { readonly records: readonly string[]; readonly definitions: readonly string[] };
}

const MAX_PREVIEW = 200;

/** Every block of a document by its key, nested ones included. */
export function blocksByKey(document: JSONDocument): Map<string, BlockNode> {
  const blocks = new Map<string, BlockNode>();
  const pending = [...document.nodes];
  for (let block = pending.pop(); block; block = pending.pop()) {
    if (block.key !== undefined) blocks.set(block.key, block);
    for (const child of childBlocks(block)) pending.push(child);
    for (const child of fragmentBlocks(block)) pending.push(child);
  }
  return blocks;
}

/** Describes the blocks with these keys, as far as they exist. */
export function describeBlocks(
  blocks: ReadonlyMap<string, BlockNode>,
  keys: Iterable<string>,
): Map<string, AnchorBlock> {
  const found = new Map<string, AnchorBlock>();
  for (const key of keys) {
    const block = blocks.get(key);
    if (block) found.set(key, describeBlock(block));
  }
  return found;
}

function describeBlock(block: BlockNode): AnchorBlock {
  const preview = previewOf(block);
  if (block.type !== 'table') return { preview };
  const { records, definition } = block.data;
  return { preview, table: { records: Object.keys(records), definitions: Object.keys(definition) } };
}

function previewOf(block: BlockNode): string {
  const text = plainText(documentOfBlocks([block]));
  // PostgreSQL stores neither NUL nor lone surrogates in text and JSON.
  const characters = [
    ...text
      .slice(0, 2 * MAX_PREVIEW)
      .replaceAll('\u0000', '')
      .toWellFormed(),
  ];
  return characters.slice(0, MAX_PREVIEW).join('');
}
