import type { Versions } from '../versions.ts';
import type { Unit } from './source-block.ts';

/** The texts of the blocks of a conflict. */
export interface TextConflict extends Partial<Versions<string>> {
  /** Each side moved the block to another place. The versions may be equal. */
  readonly moved?: true;
}

export type Side = 'primary' | 'proposed';

/** A block of the merged body. */
export interface Piece {
  readonly text: string;
  readonly trail: string;
  /** The block of one side that it copies. Absent: it was merged. */
  readonly unit?: Unit;
  /** The blocks of the sides that it replaces. */
  readonly primary?: Unit;
  readonly proposed?: Unit;
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

export function join(pieces: readonly Piece[], { lineEnd, end }: Join): Joined {
  let text = '';
  const marks: Mark[] = [];
  for (const [index, piece] of pieces.entries()) {
    const start = text.length;
    text += piece.text;
    for (const mark of piece.marks ?? []) {
      marks.push({ ...mark, start: mark.start + start, end: mark.end + start });
    }
    const { conflict, side } = piece;
    if (conflict !== undefined && side !== undefined) marks.push({ conflict, side, start, end: text.length });
    const next = pieces[index + 1];
    if (next === undefined) text += end;
    else if (wereNeighbours(piece, next)) text += piece.trail;
    else text += widened(piece.trail, isTight(piece) && isTight(next) ? 1 : 2, lineEnd);
  }
  return { text, marks };
}

/** Whether the two were neighbours on one side, separated by the same text. */
const wereNeighbours = (piece: Piece, next: Piece): boolean =>
  (['primary', 'proposed'] as const).some((side) => {
    const [one, other] = [piece[side], next[side]];
    return one !== undefined && other?.index === one.index + 1 && one.trail === piece.trail;
  });

/** Whether it needs no blank line before the next piece. Depends on its kind, which a move can change. */
const isTight = ({ unit, primary, proposed }: Piece): boolean => {
  const kind = (unit ?? primary ?? proposed)?.kind;
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
export function shapeOf(units: readonly Unit[]): readonly string[] {
  const shape: string[] = [];
  collectShape(units, shape);
  return shape;
}

/** Collects into one list, because concatenating lists at every level costs the nesting depth. */
function collectShape(units: readonly Unit[], shape: string[]): void {
  for (const unit of units) {
    const isContainer = holdsBlocks(unit);
    const hasTags = isContainer && !isList(unit.kind);
    if (hasTags) shape.push(unit.kind);
    if (isContainer) collectShape(unit.units, shape);
    else shape.push(...leafShape(unit.kind, unit.text));
    if (hasTags) shape.push(`/${unit.kind}`);
  }
}

export const leafShape = (kind: string, text: string): string[] => [`${kind} ${text}`];

export const containerShape = (kind: string, inner: readonly string[]): readonly string[] =>
  isList(kind) ? inner : [kind, ...inner, `/${kind}`];

export const shapeOfPiece = (piece: Piece): readonly string[] =>
  piece.shape ?? (piece.unit === undefined ? [] : shapeOf([piece.unit]));

/** Quotes and footnotes are merged as text: their lines begin with a marker. */
export const holdsBlocks = ({ kind, units }: Unit): boolean =>
  units.length > 0 && kind !== 'blockquote' && kind !== 'footnote';

export const isList = (kind: string): boolean => kind.startsWith('list-') && kind !== 'list-item';
