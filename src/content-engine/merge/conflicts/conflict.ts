import type { ContentRecord } from '../../tree/index.ts';
import type { Versions } from '../versions.ts';

/** Two incompatible changes, as plain JSON, which is stored. A version that did not exist is absent. */
export type Conflict = BlockConflict | FieldConflict | PositionConflict | DeleteConflict;

/** The result contains both versions, the primary one first. For an edit against a deletion, it contains the edit. */
export interface BlockConflict extends Partial<Versions<string>> {
  readonly kind: 'block';
  /** A page or a reusable content. */
  readonly entry: string;
  /** Keys of the blocks of each version in the resulting document. All empty: the versions are whole documents. */
  readonly block: ConflictBlocks;
  /** Each side moved the block to another place, and each place has a version. The versions may be equal. */
  readonly moved?: true;
}

export interface ConflictBlocks {
  readonly primary: readonly string[];
  readonly proposed: readonly string[];
}

/** Whether the bodies could not be merged by block: the result is one after the other. */
export const isWholeBody = ({ block }: BlockConflict): boolean =>
  block.primary.length + block.proposed.length === 0;

/** The result has the proposed value. */
export interface FieldConflict extends Partial<Versions<unknown>> {
  readonly kind: 'field';
  /** A page, a file, a reusable content, `~variables` or `~folder`. */
  readonly entry: string;
  /**
   * The member of the record. `content`: all members that describe the bytes of a file (hash, size, contentType,
   * dimensions). `record`: the whole entry, of which the sides made different kinds.
   */
  readonly field: string;
  /** The member of a field that is merged member by member: a variable, a part of the layout or of the source. */
  readonly member?: string;
}

/** The result has the proposed place or, where that is impossible, the primary one. */
export interface PositionConflict extends Partial<Versions<Place>> {
  readonly kind: 'position';
  readonly entry: string;
}

export interface Place {
  /** Absent: at the root. */
  readonly parent?: string;
  readonly position: string;
}

/** One side deleted an entry that the other changed or needs as a parent. The result has the entry. */
export interface DeleteConflict extends Partial<Versions<ContentRecord>> {
  readonly kind: 'delete';
  readonly entry: string;
  /** The file of the page, which the proposed side has as a file that is no page. One of the two remains. */
  readonly file?: string;
}

/** How a conflict is resolved. A field, a position and a deletion have one value: `both` leaves the current one. */
export type Use = 'primary' | 'proposed' | 'both';
