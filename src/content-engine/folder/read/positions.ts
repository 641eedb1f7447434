import { outOfOrder } from '../../diff/index.ts';
import { childrenOf, fillPositions, findPage, positionsFor, type Tree } from '../../tree/index.ts';

/** Position keys for the children of a parent, in order. As many as possible keep their previous key. */
export function positionsOf(
  previous: Tree | undefined,
  parent: string | undefined,
  ids: readonly string[],
): readonly string[] {
  if (previous === undefined) return positionsFor(ids.length);
  const before = childrenOf(previous, parent);
  const previousIds = new Set(before);
  const remaining = ids.filter((id) => previousIds.has(id));
  const moved = new Set(outOfOrder(before, remaining));
  const previousKeys = ids.map((id) =>
    previousIds.has(id) && !moved.has(id) ? findPage(previous, id)?.position : undefined,
  );
  return fillPositions(previousKeys) ?? positionsFor(ids.length);
}
