/** Pairs of indexes of two lists, increasing on both sides. */
export type Pairs = [number, number][];

/** Two lists with a number for each distinct entry: comparing numbers takes constant time. */
export interface Lists {
  readonly one: Int32Array;
  readonly other: Int32Array;
}

/** A part of both lists. */
export interface Range {
  readonly start: number;
  readonly end: number;
  readonly otherStart: number;
  readonly otherEnd: number;
}

export const sizeOf = ({ start, end, otherStart, otherEnd }: Range): number =>
  end - start + (otherEnd - otherStart);

export const cellsOf = ({ start, end, otherStart, otherEnd }: Range): number =>
  (end - start) * (otherEnd - otherStart);
