import { blocksOf, mergeBlock, type Block } from './blocks.ts';
import { segmentOf, wordsOf, type NumberedPage } from './segment.ts';

export interface SegmentInput {
  readonly pages: readonly NumberedPage[];
  /** The blocks of segments that become part of it. */
  readonly blocks?: readonly string[];
  /** The numbers of their deleted pages. */
  readonly gone?: readonly number[];
}

/** A segment as it is stored. */
export interface BuiltSegment {
  readonly blocks: readonly Block[];
  readonly words: string;
}

/** Builds a segment of new pages and the blocks of others. */
export function buildSegment({ pages, blocks = [], gone = [] }: SegmentInput): BuiltSegment {
  const segment = segmentOf(pages);
  const deleted = new Set(gone);
  for (const block of blocks) mergeBlock(segment, block, deleted);
  return { blocks: blocksOf(segment), words: wordsOf(segment) };
}
