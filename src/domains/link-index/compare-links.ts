import type { LinkRow } from './schema.ts';

export interface LinkDifference {
  readonly removed: readonly LinkRow[];
  readonly added: readonly LinkRow[];
  /** Pairs of source and target of which no compared row is left, and of which none was before. */
  readonly lost: readonly LinkRow[];
  readonly gained: readonly LinkRow[];
}

/** The rows to write so that `now` replaces `old`. Equal rows are not written. */
export function compareLinks(old: readonly LinkRow[], now: readonly LinkRow[]): LinkDifference {
  const byPlace = new Map(old.map((row) => [placeOf(row), row]));
  const added = now.filter((row) => {
    const before = byPlace.get(placeOf(row));
    if (before === undefined || !isEqual(before, row)) return true;
    byPlace.delete(placeOf(row));
    return false;
  });
  const [before, after] = [new Set(old.map(pairOf)), new Set(now.map(pairOf))];
  return {
    removed: [...byPlace.values()],
    added,
    lost: distinctPairs(old).filter((row) => !after.has(pairOf(row))),
    gained: distinctPairs(now).filter((row) => !before.has(pairOf(row))),
  };
}

/** The row of a source. */
export const placeOf = ({ source_id: source, ordinal }: Pick<LinkRow, 'source_id' | 'ordinal'>): string =>
  `${source} ${ordinal}`;

/** A source and its target. */
export const pairOf = ({ source_id: source, key }: Pick<LinkRow, 'source_id' | 'key'>): string =>
  `${source} ${key}`;

/** The first row of each pair, which is written first. */
function distinctPairs(rows: readonly LinkRow[]): LinkRow[] {
  const first = new Map<string, LinkRow>();
  for (const row of rows) if (!first.has(pairOf(row))) first.set(pairOf(row), row);
  return [...first.values()];
}

/** The key is a hash of all columns of the target. */
const isEqual = (a: LinkRow, b: LinkRow): boolean =>
  a.key === b.key &&
  a.href === b.href &&
  a.entry_kind === b.entry_kind &&
  a.entry_id === b.entry_id &&
  a.wanted === b.wanted &&
  a.loose === b.loose;
