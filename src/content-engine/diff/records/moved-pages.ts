import type { Difference } from '../../map/index.ts';
import { childrenOf, isPage, parentOf, ROOT, type ContentRecord, type Tree } from '../../tree/index.ts';
import { outOfOrder } from '../sequences/longest-increasing.ts';

/**
 * The pages that were moved: to another parent, or in the order of their siblings. A new position key alone is no
 * move: keys of neighbours change when there is no room between them. Explains a new order with as few moves as
 * possible.
 */
export function findMovedPages(
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
    const [siblingsBefore, siblings] = [childrenOf(before, parent), childrenOf(after, parent)];
    for (const id of movedSiblings(siblingsBefore, siblings, rekeyed)) moved.add(id);
  }
  return moved;
}

/** The pages with a new key that are in another place. Pages with an old key keep their order among themselves. */
function movedSiblings(
  before: readonly string[],
  after: readonly string[],
  rekeyed: ReadonlySet<string>,
): string[] {
  const [idsBefore, idsAfter] = [new Set(before), new Set(after)];
  const gapsBefore = gapsOf(
    before.filter((id) => idsAfter.has(id)),
    rekeyed,
  );
  const common = after.filter((id) => idsBefore.has(id));
  const gapsAfter = gapsOf(common, rekeyed);
  const isInOtherGap = (id: string) => gapsBefore.get(id) !== gapsAfter.get(id);
  return [
    ...common.filter(isInOtherGap),
    ...outOfOrder(
      before,
      common.filter((id) => !isInOtherGap(id)),
    ),
  ];
}

/** The number of pages with an old key before each page with a new key. */
function gapsOf(ids: readonly string[], rekeyed: ReadonlySet<string>): Map<string, number> {
  const gaps = new Map<string, number>();
  let unchanged = 0;
  for (const id of ids) {
    if (rekeyed.has(id)) gaps.set(id, unchanged);
    else unchanged++;
  }
  return gaps;
}
