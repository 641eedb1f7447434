import { LRUCache } from 'lru-cache';
import { sizeOfText } from '../../content-engine/size-of-text.ts';
import {
  blocksByKey,
  describeBlocks,
  type AnchorBlock,
  type BlockNode,
} from '../../content-engine/document/index.ts';
import { parseDocument } from '../../content-engine/markdown/index.ts';
import { isLarge, type Engine } from '../revisions/index.ts';
import type { TargetNode } from './policy.ts';

export type { AnchorBlock } from '../../content-engine/document/index.ts';

/** Blocks of bodies that were commented on recently, by their text: a page often gets many comments between two edits. */
export type BlockCache = LRUCache<string, ReadonlyMap<string, BlockNode>>;

export const createBlockCache = (): BlockCache =>
  new LRUCache({
    // Counted in characters; the parsed blocks take some twenty times as much memory.
    maxSize: 500_000,
    sizeCalculation: (_blocks, body) => body.length + 100,
  });

declare module '../../platform/api/context.ts' {
  interface Caches {
    readonly commentedBlocks: BlockCache;
  }
}

/** A body with comments on its blocks, and its name for error messages. */
export interface Commented {
  readonly body: string;
  readonly what: string;
}

/** Those of the keys that are blocks of the body, at any depth. */
export async function findBlocks(
  cache: BlockCache,
  engine: Engine,
  { body, what }: Commented,
  keys: readonly string[],
): Promise<ReadonlyMap<string, AnchorBlock>> {
  const size = sizeOfText(body);
  if (isLarge(size)) return engine.run('findBlocks', { body, keys }, { size, what });
  const known = cache.get(body) ?? (await engine.here(what, () => blocksByKey(parseDocument(body))));
  cache.set(body, known);
  return describeBlocks(known, keys);
}

/** Maps the keys of blocks of one body to those of another. */
export const carryKeys = (
  engine: Engine,
  before: string,
  { body: after, what }: Commented,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string | undefined>> =>
  engine.run('followKeys', { before, after, keys }, { size: sizeOfText(before, after), what });

/** A block as a comment stores it. */
export const targetNode = (id: string, { preview }: AnchorBlock): TargetNode => ({ id, preview });
