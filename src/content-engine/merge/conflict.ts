import type { ContentRecord } from '../tree/index.ts';

/**
 * Two changes that cannot both stand as they are. Plain JSON, so that it can be stored. `ancestor`, `primary` and
 * `proposed` are the three versions; one that is absent was not there.
 */
export type Conflict = BlockConflict | FieldConflict | PositionConflict | DeleteConflict;

/** Both versions stand in the result, the primary's first. Of an edit against a deletion, what was edited stands. */
export interface BlockConflict extends Versions<string> {
  readonly kind: 'block';
  /** A page or a reusable content. */
  readonly entry: string;
  /** Keys of the blocks of each version in the document of the result. None at all: the versions are whole documents. */
  readonly block: Standing;
  /** Each side moved the block to another place, where its version stands. The versions may be equal. */
  readonly moved?: true;
}

export interface Standing {
  readonly primary: readonly string[];
  readonly proposed: readonly string[];
}

/** The bodies could not be taken apart: the one stands behind the other. */
export const isWhole = ({ block }: BlockConflict): boolean =>
  block.primary.length + block.proposed.length === 0;

/** The proposed value stands. */
export interface FieldConflict extends Versions<unknown> {
  readonly kind: 'field';
  /** A page, a file, a reusable content, `~variables` or `~folder`. */
  readonly entry: string;
  /**
   * Its name in the record. `content` is all of a file that belongs to its bytes (hash, size, contentType, dimensions),
   * `record` is all of an entry that became two different kinds of thing.
   */
  readonly field: string;
  /** What of the field, where it is merged member by member: a variable, a part of the layout or of the source. */
  readonly member?: string;
}

/** The proposed place stands, unless there cannot be such a place; then the primary one. */
export interface PositionConflict extends Versions<Place> {
  readonly kind: 'position';
  readonly entry: string;
}

export interface Place {
  /** Absent: at the root. */
  readonly parent?: string;
  readonly position: string;
}

/** One side deleted what the other changed, or what the other needs as a parent: it stays. */
export interface DeleteConflict extends Versions<ContentRecord> {
  readonly kind: 'delete';
  readonly entry: string;
}

interface Versions<T> {
  readonly ancestor?: T;
  readonly primary?: T;
  readonly proposed?: T;
}

/** How a conflict is resolved. Of a field, a position and a deletion only one can stand: `both` leaves what does. */
export type Use = 'primary' | 'proposed' | 'both';
