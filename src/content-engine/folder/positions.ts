import { generateNKeysBetween } from 'fractional-indexing';
import { outOfRow } from '../diff/index.ts';
import { childrenOf, findPage, positionsFor, type Tree } from '../tree/index.ts';

/** Positions for the pages below a parent, in order. As many as possible keep the one that they had. */
export function positionsOf(
  previous: Tree | undefined,
  parent: string | undefined,
  ids: readonly string[],
): readonly string[] {
  if (previous === undefined) return positionsFor(ids.length);
  const before = childrenOf(previous, parent);
  const there = new Set(before);
  const stayed = ids.filter((id) => there.has(id));
  const moved = new Set(outOfRow(before, stayed));
  const kept = ids.map((id) =>
    there.has(id) && !moved.has(id) ? findPage(previous, id)?.position : undefined,
  );
  try {
    return filled(kept);
  } catch {
    // Two of them had one position, after a merge.
    return positionsFor(ids.length);
  }
}

function filled(kept: readonly (string | undefined)[]): string[] {
  const all: string[] = [];
  for (let at = 0; at < kept.length;) {
    let end = at;
    while (end < kept.length && kept[end] === undefined) end++;
    for (const key of generateNKeysBetween(all.at(-1) ?? null, kept[end] ?? null, end - at)) all.push(key);
    if (end < kept.length) all.push(kept[end] ?? '');
    at = end + 1;
  }
  if (all.some((position, index) => index > 0 && position <= (all[index - 1] ?? '')))
    throw new Error('not in order');
  return all;
}
