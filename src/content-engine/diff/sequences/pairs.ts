/** Which entries of two lists belong together: pairs of indexes, increasing on both sides. */
export type Pairs = [number, number][];

/** Two lists whose equal entries have equal numbers: numbers compare in one step, however long the entries are. */
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
