import { isPage, type PageRecord } from '../records.ts';
import { compareSiblings, type Tree } from '../tree.ts';

interface Patch<T> {
  readonly removed: readonly T[];
  readonly added: readonly T[];
}

/** Siblings in order after removals and additions. Binary search: a level is copied, not sorted. */
export function patchSiblings(
  ids: readonly string[],
  { removed, added }: Patch<PageRecord>,
  before: Tree['records'],
  after: Tree['records'],
): readonly string[] {
  const place = (list: readonly string[], records: Tree['records'], page: PageRecord) =>
    lowerBound(list, (id) => compareSiblings(pageIn(records, id), page));
  const [only] = added;
  // The most frequent change. `splice` would copy the level once more, into half as much space again.
  if (only && added.length === 1 && removed.length === 0)
    return ids.toSpliced(place(ids, after, only), 0, only.id);
  const next = ids.slice();
  // Removed pages are found by their old positions, so they are removed before others are added.
  for (const page of removed) {
    const at = place(next, before, page);
    if (next[at] === page.id) next.splice(at, 1);
  }
  for (const page of added) next.splice(place(next, after, page), 0, page.id);
  return next;
}

export function patchIds(ids: readonly string[], { removed, added }: Patch<string>): readonly string[] {
  if (removed.length + added.length === 0) return ids;
  const next = ids.slice();
  const place = (id: string) => lowerBound(next, (other) => (other < id ? -1 : Number(other > id)));
  for (const id of removed) if (next[place(id)] === id) next.splice(place(id), 1);
  for (const id of added) next.splice(place(id), 0, id);
  return next;
}

/** Lower bound: the index of the first id that does not sort before. */
function lowerBound(ids: readonly string[], compare: (id: string) => number): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(ids[middle] ?? '') < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function pageIn(records: Tree['records'], id: string): PageRecord {
  const record = records.get(id);
  if (!isPage(record)) throw new Error(`${id} is listed as a page but is not one`);
  return record;
}
