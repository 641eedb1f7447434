import { generateNKeysBetween } from 'fractional-indexing';
import { outOfOrder } from '../../diff/index.ts';
import { childrenOf, findPage, positionsFor, type Tree } from '../../tree/index.ts';

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
  try {
    return fillGaps(previousKeys);
  } catch {
    // Two siblings have the same position after a merge.
    return positionsFor(ids.length);
  }
}

function fillGaps(keys: readonly (string | undefined)[]): string[] {
  const all: string[] = [];
  for (let at = 0; at < keys.length;) {
    let end = at;
    while (end < keys.length && keys[end] === undefined) end++;
    for (const key of generateNKeysBetween(all.at(-1) ?? null, keys[end] ?? null, end - at)) all.push(key);
    if (end < keys.length) all.push(keys[end] ?? '');
    at = end + 1;
  }
  if (all.some((position, index) => index > 0 && position <= (all[index - 1] ?? '')))
    throw new Error('not in order');
  return all;
}
