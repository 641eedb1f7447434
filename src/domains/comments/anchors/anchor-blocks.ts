import { LRUCache } from 'lru-cache';
import { sizeOfText } from '../../../content-engine/size-of-text.ts';
import {
  blocksByKey,
  describeBlocks,
  type AnchorBlock,
  type BlockNode,
} from '../../../content-engine/document/index.ts';
import { parseDocument } from '../../../content-engine/markdown/index.ts';
import { followKeys } from '../../../content-engine/merge/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { runTask } from '../../content-store/index.ts';
import type { TargetNode } from '../policy.ts';

export type { AnchorBlock } from '../../../content-engine/document/index.ts';

/** Blocks of bodies that were commented on recently, by their text: a page often gets many comments between two edits. */
export type BlockCache = LRUCache<string, ReadonlyMap<string, BlockNode>>;

export const createBlockCache = (): BlockCache =>
  new LRUCache({
    // Counted in characters; the parsed blocks take some twenty times as much memory.
    maxSize: 500_000,
    sizeCalculation: (_blocks, body) => body.length + 100,
  });

declare module '../../../platform/api/context.ts' {
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
export function findBlocks(
  ctx: Pick<Context, 'caches' | 'isFront'>,
  { body, what }: Commented,
  keys: readonly string[],
): ReadonlyMap<string, AnchorBlock> {
  const cache = ctx.caches.commentedBlocks;
  const parse = () => blocksByKey(parseDocument(body));
  const known = cache.get(body) ?? runTask(ctx, { size: sizeOfText(body), what }, parse);
  cache.set(body, known);
  return describeBlocks(known, keys);
}

/** Maps the keys of blocks of one body to those of another. */
export const carryKeys = (
  ctx: Pick<Context, 'isFront'>,
  before: string,
  { body: after, what }: Commented,
  keys: readonly string[],
): ReadonlyMap<string, string | undefined> =>
  runTask(ctx, { size: sizeOfText(before, after), what }, () => followKeys(before, after, keys));

/** A block as a comment stores it. */
export const targetNode = (id: string, { preview }: AnchorBlock): TargetNode => ({ id, preview });
