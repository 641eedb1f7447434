import { isSame, type Difference } from '../../map/index.ts';
import type { ContentRecord, Tree } from '../../tree/index.ts';

/** The records that differ between two trees, sorted by id. Shared shards are skipped. */
export function treeDifferences(before: Tree, after: Tree): Difference<ContentRecord>[] {
  const [a, b] = [before.records, after.records];
  const isAligned = a.shards.length === b.shards.length;
  const ids = new Set<string>();
  const collect = (map: Tree['records'], other: Tree['records']) => {
    for (const [index, shard] of map.shards.entries()) {
      if (isAligned && shard === other.shards[index]) continue;
      for (const id of shard.keys()) ids.add(id);
    }
  };
  collect(a, b);
  collect(b, a);
  return Array.from(ids, (id) => ({ id, before: a.get(id), after: b.get(id) }))
    .filter(({ before, after }) => before !== after && !isEqual(before, after))
    .toSorted((x, y) => (x.id < y.id ? -1 : 1));
}

const isEqual = (a: ContentRecord | undefined, b: ContentRecord | undefined): boolean =>
  a !== undefined && b !== undefined && isSame(a, b);
