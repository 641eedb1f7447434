import type { Versions } from '../versions.ts';
import type { SourceBlock } from './source-block.ts';

export interface TextConflict extends Partial<Versions<string>> {
  /** Each side moved the block to another place. The versions may be equal. */
  readonly moved?: true;
}

export type Side = 'primary' | 'proposed';

/** A block of the merged body. */
export interface MergedBlock {
  readonly text: string;
  readonly trail: string;
  /** The block of one side that it copies. Absent: it was merged. */
  readonly block?: SourceBlock;
  /** The blocks of the sides that it replaces. */
  readonly primary?: SourceBlock;
  readonly proposed?: SourceBlock;
  /** The conflict that it is a version of, and the side of that version. */
  readonly conflict?: TextConflict;
  readonly side?: Side;
  /** The expected result of parsing it: see `shapeOf`. */
  readonly shape?: readonly string[];
  /** Versions of conflicts inside it, by their offsets in its text. */
  readonly marks?: readonly Mark[];
}

export interface Mark {
  readonly conflict: TextConflict;
  readonly side: Side;
  readonly start: number;
  readonly end: number;
}

export interface Joined {
  readonly text: string;
  readonly marks: readonly Mark[];
}

export interface Join {
  readonly lineEnd: string;
  /** The text after the last block. */
  readonly end: string;
}

export function join(mergedBlocks: readonly MergedBlock[], { lineEnd, end }: Join): Joined {
  let text = '';
  const marks: Mark[] = [];
  for (const [index, mergedBlock] of mergedBlocks.entries()) {
    const start = text.length;
    text += mergedBlock.text;
    for (const mark of mergedBlock.marks ?? []) {
      marks.push({ ...mark, start: mark.start + start, end: mark.end + start });
    }
    const { conflict, side } = mergedBlock;
    if (conflict !== undefined && side !== undefined) marks.push({ conflict, side, start, end: text.length });
    const next = mergedBlocks[index + 1];
    if (next === undefined) text += end;
    else if (wereNeighbours(mergedBlock, next)) text += mergedBlock.trail;
    else text += widened(mergedBlock.trail, isTight(mergedBlock) && isTight(next) ? 1 : 2, lineEnd);
  }
  return { text, marks };
}

/** Whether the two were neighbours on one side, separated by the same text. */
const wereNeighbours = (mergedBlock: MergedBlock, next: MergedBlock): boolean =>
  (['primary', 'proposed'] as const).some((side) => {
    const [one, other] = [mergedBlock[side], next[side]];
    return one !== undefined && other?.index === one.index + 1 && one.trail === mergedBlock.trail;
  });

/** Whether it needs no blank line before the next block. Depends on its kind, which a move can change. */
const isTight = ({ block, primary, proposed }: MergedBlock): boolean => {
  const kind = (block ?? primary ?? proposed)?.kind;
  return kind === 'list-item' || kind === 'table-row';
};

/** The separator of two blocks that were not neighbours before: at least so many line ends. */
function widened(trail: string, lineEnds: number, lineEnd: string): string {
  const missing = lineEnds - (trail.split('\n').length - 1);
  return missing > 0 ? trail + lineEnd.repeat(missing) : trail;
}

/**
 * Kinds and texts of the blocks that parsing yields, to check that a merged text is parsed as intended. Two adjacent
 * lists and one list with the same items have the same shape.
 */
export function shapeOf(blocks: readonly SourceBlock[]): readonly string[] {
  const shape: string[] = [];
  collectShape(blocks, shape);
  return shape;
}

/** Collects into one list, because concatenating lists at every level costs the nesting depth. */
function collectShape(blocks: readonly SourceBlock[], shape: string[]): void {
  for (const block of blocks) {
    const isContainer = holdsBlocks(block);
    const hasTags = isContainer && !isList(block.kind);
    if (hasTags) shape.push(block.kind);
    if (isContainer) collectShape(block.blocks, shape);
    else shape.push(...leafShape(block.kind, block.text));
    if (hasTags) shape.push(`/${block.kind}`);
  }
}

export const leafShape = (kind: string, text: string): string[] => [`${kind} ${text}`];

export const containerShape = (kind: string, inner: readonly string[]): readonly string[] =>
  isList(kind) ? inner : [kind, ...inner, `/${kind}`];

export const shapeOfMerged = (mergedBlock: MergedBlock): readonly string[] =>
  mergedBlock.shape ?? (mergedBlock.block === undefined ? [] : shapeOf([mergedBlock.block]));

/** Quotes and footnotes are merged as text: their lines begin with a marker. */
export const holdsBlocks = ({ kind, blocks }: SourceBlock): boolean =>
  blocks.length > 0 && kind !== 'blockquote' && kind !== 'footnote';

export const isList = (kind: string): boolean => kind.startsWith('list-') && kind !== 'list-item';
