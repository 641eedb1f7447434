import type { Difference } from '../../map/index.ts';
import { childrenOf, isPage, parentOf, ROOT, type ContentRecord, type Tree } from '../../tree/index.ts';

/**
 * The pages that stand elsewhere: below another parent, or in another order among those that stayed. A new position key
 * alone is no move: keys change when neighbours are spread. Of a changed order as few pages as possible moved.
 */
export function movedAmongSiblings(
  before: Tree,
  after: Tree,
  differences: readonly Difference<ContentRecord>[],
): Set<string> {
  const moved = new Set<string>();
  const rekeyed = new Set<string>();
  const reordered = new Set<string>();
  for (const { id, before: old, after: now } of differences) {
    if (!isPage(old) || !isPage(now)) continue;
    const [from, to] = [parentOf(before, id), parentOf(after, id)];
    if (from !== to) moved.add(id);
    else if (old.position !== now.position) {
      rekeyed.add(id);
      reordered.add(to ?? ROOT);
    }
  }
  for (const parent of reordered) {
    for (const id of outOfOrder(childrenOf(before, parent), childrenOf(after, parent), rekeyed))
      moved.add(id);
  }
  return moved;
}

/** Of the pages with a new key, those that are not where they were. The others keep their order among themselves. */
function outOfOrder(
  before: readonly string[],
  after: readonly string[],
  rekeyed: ReadonlySet<string>,
): string[] {
  const [there, here] = [new Set(before), new Set(after)];
  const gapsBefore = gaps(
    before.filter((id) => here.has(id)),
    rekeyed,
  );
  const common = after.filter((id) => there.has(id));
  const gapsAfter = gaps(common, rekeyed);
  const isElsewhere = (id: string) => gapsBefore.get(id) !== gapsAfter.get(id);
  return [
    ...common.filter(isElsewhere),
    ...outOfRow(
      before,
      common.filter((id) => !isElsewhere(id)),
    ),
  ];
}

/** How many that kept their key come before each that did not. */
function gaps(ids: readonly string[], rekeyed: ReadonlySet<string>): Map<string, number> {
  const found = new Map<string, number>();
  let kept = 0;
  for (const id of ids) {
    if (rekeyed.has(id)) found.set(id, kept);
    else kept++;
  }
  return found;
}

/** What must be taken out of `ids` so that the rest stands as in `before`: all but a longest increasing row. */
export function outOfRow(before: readonly string[], ids: readonly string[]): string[] {
  const places = new Map(before.map((id, index) => [id, index]));
  const placeOf = (index: number) => places.get(ids[index] ?? '') ?? 0;
  // ends[n]: the index with the lowest place that a row of n + 1 can end with.
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  for (let index = 0; index < ids.length; index++) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (placeOf(ends[middle] ?? 0) < placeOf(index)) low = middle + 1;
      else high = middle;
    }
    previous.push(low === 0 ? undefined : ends[low - 1]);
    ends[low] = index;
  }
  const kept = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) kept.add(at);
  return ids.filter((_, index) => !kept.has(index));
}
