import { LRUCache } from 'lru-cache';
import { parseDocument, plainText, type BlockNode } from '../../content-engine/markdown/index.ts';
import type { TargetNode } from './policy.ts';

const LONGEST_PREVIEW = 200;

type Blocks = ReadonlyMap<string, BlockNode>;

/** Of bodies that were commented on lately, by their text: many comment on one page while nobody edits it. */
const kept = new LRUCache<string, Blocks>({
  // What is read from a text takes some twenty times its room.
  maxSize: 500_000,
  sizeCalculation: (_blocks, body) => body.length + 100,
});

/** Every block of a body by its key, those inside others too. */
export function blocksOf(body: string): Blocks {
  const known = kept.get(body);
  if (known) return known;
  const blocks = readBlocks(body);
  kept.set(body, blocks);
  return blocks;
}

function readBlocks(body: string): Blocks {
  const blocks = new Map<string, BlockNode>();
  const ahead: NonNullable<BlockNode['nodes']> = [...parseDocument(body).nodes];
  for (let node = ahead.pop(); node; node = ahead.pop()) {
    if (node.object !== 'block') continue;
    if (node.key !== undefined) blocks.set(node.key, node);
    ahead.push(...(node.nodes ?? []), ...(node.fragments ?? []).flatMap((fragment) => fragment.nodes));
  }
  return blocks;
}

/** A block as a comment remembers it. */
export const targetNode = (id: string, block: BlockNode): TargetNode => ({ id, preview: previewOf(block) });

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
