import { LRUCache } from 'lru-cache';
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

/** Of bodies that were commented on lately, by their text: many comment on one page while nobody edits it. */
const kept = new LRUCache<string, ReadonlyMap<string, BlockNode>>({
  // What is read from a text takes some twenty times its room.
  maxSize: 500_000,
  sizeCalculation: (_blocks, body) => body.length + 100,
});

/** A body with comments on its blocks, and its name for error messages. */
export interface Commented {
  readonly body: string;
  readonly what: string;
}

/** Those of the keys that are blocks of the body, at any depth. */
export async function findBlocks(
  engine: Engine,
  { body, what }: Commented,
  keys: readonly string[],
): Promise<ReadonlyMap<string, AnchorBlock>> {
  if (isLarge(body.length)) return engine.run('findBlocks', { body, keys }, { size: body.length, what });
  const known = kept.get(body) ?? engine.here(what, () => blocksByKey(parseDocument(body)));
  kept.set(body, known);
  return describeBlocks(known, keys);
}

/** Maps the keys of blocks of one body to those of another. */
export const carryKeys = (
  engine: Engine,
  before: string,
  { body: after, what }: Commented,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string | undefined>> =>
  engine.run('followKeys', { before, after, keys }, { size: before.length + after.length, what });

/** A block as a comment stores it. */
export const targetNode = (id: string, { preview }: AnchorBlock): TargetNode => ({ id, preview });
