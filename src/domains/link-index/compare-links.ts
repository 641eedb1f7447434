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
  const byPlace = new Map<string, LinkRow>();
  const before = new Map<string, LinkRow>();
  const after = new Map<string, LinkRow>();
  const added: LinkRow[] = [];
  for (const row of old) {
    byPlace.set(placeOf(row), row);
    addFirst(before, row);
  }
  for (const row of now) {
    const place = placeOf(row);
    const replaced = byPlace.get(place);
    if (replaced !== undefined && isEqual(replaced, row)) byPlace.delete(place);
    else added.push(row);
    addFirst(after, row);
  }
  return {
    removed: [...byPlace.values()],
    added,
    lost: without(before, after),
    gained: without(after, before),
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

const without = (pairs: ReadonlyMap<string, LinkRow>, others: ReadonlyMap<string, LinkRow>): LinkRow[] =>
  [...pairs].flatMap(([pair, row]) => (others.has(pair) ? [] : [row]));

/** The key is a hash of all columns of the target. */
const isEqual = (a: LinkRow, b: LinkRow): boolean =>
  a.key === b.key &&
  a.href === b.href &&
  a.entry_kind === b.entry_kind &&
  a.entry_id === b.entry_id &&
  a.wanted === b.wanted &&
  a.loose === b.loose;
