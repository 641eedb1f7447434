import type { EntryKind, LinkTarget, Relation } from '../../content-engine/links/index.ts';

export type TargetKind = LinkTarget['kind'];

/** A target of a space, as its row has it. */
export interface TargetColumns {
  readonly key: string;
  readonly relation: Relation;
  readonly kind: TargetKind;
  readonly target_space_id: string | null;
  readonly target_id: string | null;
  readonly anchor: string | null;
  readonly url: string | null;
}

export interface LinkRow extends TargetColumns {
  readonly source_id: string;
  readonly ordinal: number;
  readonly href: string | null;
  readonly entry_kind: EntryKind | null;
  readonly entry_id: string | null;
  readonly wanted: string | null;
  readonly loose: boolean;
}

/** The row of a target. */
export interface StoredTarget extends TargetColumns {
  /** Origin and path of a URL with http or https. */
  readonly address: string | null;
  /** Null: outside of the space, decided when it is read. */
  readonly broken: boolean | null;
  readonly sources: number;
  readonly checked_at: Date | null;
  readonly problem: string | null;
}

/** A column of rows, as an array parameter. */
export const column = <R, K extends keyof R>(rows: readonly R[], name: K): R[K][] =>
  rows.map((row) => row[name]);
