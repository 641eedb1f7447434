import { isPage, type PageRecord } from './records.ts';
import { inOrder, type Tree } from './tree.ts';

interface Patch<T> {
  readonly leaving: readonly T[];
  readonly coming: readonly T[];
}

/** Siblings in order after some left and some came. Finds places by halving, so that a wide level is copied, not sorted. */
export function patchSiblings(
  ids: readonly string[],
  { leaving, coming }: Patch<PageRecord>,
  before: Tree['records'],
  after: Tree['records'],
): readonly string[] {
  const next = ids.slice();
  // Those that leave are found by where they stood, so they go before anyone comes.
  for (const page of leaving) {
    const at = placeOf(next, (id) => inOrder(pageIn(before, id), page));
    if (next[at] === page.id) next.splice(at, 1);
  }
  for (const page of coming) {
    next.splice(
      placeOf(next, (id) => inOrder(pageIn(after, id), page)),
      0,
      page.id,
    );
  }
  return next;
}

export function patchIds(ids: readonly string[], { leaving, coming }: Patch<string>): readonly string[] {
  if (leaving.length + coming.length === 0) return ids;
  const next = ids.slice();
  const place = (id: string) => placeOf(next, (other) => (other < id ? -1 : Number(other > id)));
  for (const id of leaving) if (next[place(id)] === id) next.splice(place(id), 1);
  for (const id of coming) next.splice(place(id), 0, id);
  return next;
}

/** The index of the first id that does not come before. */
function placeOf(ids: readonly string[], compare: (id: string) => number): number {
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
