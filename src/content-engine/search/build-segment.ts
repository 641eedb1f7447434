import { blocksOf, mergeBlock, segmentOf, wordsOf, type Block, type NumberedPage } from './segment.ts';

export interface SegmentInput {
  readonly pages: readonly NumberedPage[];
  /** Of segments that become part of it. */
  readonly blocks?: readonly string[];
  /** The numbers of their deleted pages. */
  readonly gone?: readonly number[];
}

/** A segment as it is stored. */
export interface BuiltSegment {
  readonly blocks: readonly Block[];
  readonly words: string;
}

/** Builds a segment of new pages and the blocks of others. Yields every few milliseconds. */
export function* buildSegment({
  pages,
  blocks = [],
  gone = [],
}: SegmentInput): Generator<void, BuiltSegment, void> {
  const segment = yield* segmentOf(pages);
  const deleted = new Set(gone);
  for (const block of blocks) {
    mergeBlock(segment, block, deleted);
    yield;
  }
  return { blocks: yield* blocksOf(segment), words: yield* wordsOf(segment) };
}

/** Characters that building a segment reads. */
export const sizeOf = ({ pages, blocks = [] }: SegmentInput): number => {
  let size = 0;
  for (const { text } of pages) for (const section of text.sections) size += section.text.length;
  for (const block of blocks) size += block.length;
  return size;
};
