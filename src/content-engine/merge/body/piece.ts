import type { Three } from '../versions.ts';
import type { Unit } from './unit.ts';

/** The texts of the blocks of a conflict. */
export interface TextConflict extends Partial<Three<string>> {
  /** Each side moved it to another place. The versions may be equal. */
  readonly moved?: true;
}

export type Side = 'primary' | 'proposed';

/** A block of the result. */
export interface Piece {
  readonly text: string;
  readonly trail: string;
  /** The block that it is, as it stands on one of the sides. Absent: it was merged. */
  readonly unit?: Unit;
  /** The blocks of the sides that it stands for. */
  readonly primary?: Unit;
  readonly proposed?: Unit;
  /** Of which conflict it is a version, and whose. */
  readonly conflict?: TextConflict;
  readonly side?: Side;
  /** What it must be read as: see `shapeOf`. */
  readonly shape?: readonly string[];
  /** Versions of conflicts inside it, by their place in its text. */
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
  /** What stands behind the last block. */
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

/** Whether on one side the one stood behind the other, and with what stands between them now. */
const wereNeighbours = (piece: Piece, next: Piece): boolean =>
  (['primary', 'proposed'] as const).some((side) => {
    const [one, other] = [piece[side], next[side]];
    return one !== undefined && other?.index === one.index + 1 && one.trail === piece.trail;
  });

/**
 * Whether no blank line is needed before the next one. By what it is: where it stood before, it may have been something
 * else.
 */
const isTight = ({ unit, primary, proposed }: Piece): boolean => {
  const kind = (unit ?? primary ?? proposed)?.kind;
  return kind === 'list-item' || kind === 'table-row';
};

/** What must stand between two blocks that never stood one behind the other: so many line ends. */
function widened(trail: string, lineEnds: number, lineEnd: string): string {
  const missing = lineEnds - (trail.split('\n').length - 1);
  return missing > 0 ? trail + lineEnd.repeat(missing) : trail;
}

/**
 * How blocks are read, without their bytes: to see whether something that was put together is read as it was meant. Two
 * lists that became one count as the same.
 */
export function shapeOf(units: readonly Unit[]): readonly string[] {
  const shape: string[] = [];
  collectShape(units, shape);
  return shape;
}

/** Into one list: to join lists at every level costs the depth of the nesting. */
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

/** Of a quote every line begins with a mark, and of a footnote the first: they are text with lines. */
export const holdsBlocks = ({ kind, units }: Unit): boolean =>
  units.length > 0 && kind !== 'blockquote' && kind !== 'footnote';

export const isList = (kind: string): boolean => kind.startsWith('list-') && kind !== 'list-item';
