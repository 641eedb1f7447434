import type { LinkRow } from './schema.ts';

export interface LinkDifference {
  readonly removed: readonly LinkRow[];
  readonly added: readonly LinkRow[];
  /** Pairs of source and target of which no compared row is left, and of which none was before. */
  readonly lost: readonly LinkRow[];
  readonly gained: readonly LinkRow[];
}

/** Rows per step of the comparison. */
const STEP = 1000;

/** The rows to write so that `now` replaces `old`. Equal rows are not written. Yields between steps of the work. */
export function* compareLinks(
  old: readonly LinkRow[],
  now: readonly LinkRow[],
): Generator<void, LinkDifference, void> {
  const byPlace = new Map<string, LinkRow>();
  const before = new Map<string, LinkRow>();
  const after = new Map<string, LinkRow>();
  const added: LinkRow[] = [];
  for (const [n, row] of old.entries()) {
    if (n % STEP === 0) yield;
    byPlace.set(placeOf(row), row);
    addFirst(before, row);
  }
  for (const [n, row] of now.entries()) {
    if (n % STEP === 0) yield;
    const place = placeOf(row);
    const replaced = byPlace.get(place);
    if (replaced !== undefined && isEqual(replaced, row)) byPlace.delete(place);
    else added.push(row);
    addFirst(after, row);
  }
  yield;
  return {
    removed: [...byPlace.values()],
    added,
    lost: yield* without(before, after),
    gained: yield* without(after, before),
  };
}

/** The row of a source. */
export const placeOf = ({ source_id: source, ordinal }: Pick<LinkRow, 'source_id' | 'ordinal'>): string =>
  `${source} ${ordinal}`;

/** A source and its target. */
export const pairOf = ({ source_id: source, key }: Pick<LinkRow, 'source_id' | 'key'>): string =>
  `${source} ${key}`;

/** The first row of each pair, which is written first. */
function addFirst(pairs: Map<string, LinkRow>, row: LinkRow): void {
  const pair = pairOf(row);
  if (!pairs.has(pair)) pairs.set(pair, row);
}

function* without(
  pairs: ReadonlyMap<string, LinkRow>,
  others: ReadonlyMap<string, LinkRow>,
): Generator<void, LinkRow[], void> {
  const rows: LinkRow[] = [];
  let n = 0;
  for (const [pair, row] of pairs) {
    if (++n % STEP === 0) yield;
    if (!others.has(pair)) rows.push(row);
  }
  return rows;
}

/** The key is a hash of all columns of the target. */
const isEqual = (a: LinkRow, b: LinkRow): boolean =>
  a.key === b.key &&
  a.href === b.href &&
  a.entry_kind === b.entry_kind &&
  a.entry_id === b.entry_id &&
  a.wanted === b.wanted &&
  a.loose === b.loose;
