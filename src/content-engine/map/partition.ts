import { addToList } from '../add-to-list.ts';
import { BITS, slotAt, type Key } from './hash.ts';
import { widthOf, type Child } from './node.ts';

interface Partition<T> {
  readonly byChild: ReadonlyMap<Child, readonly T[]>;
  /** Items whose slot has no child. */
  readonly unassigned: readonly T[];
}

/** Assigns keys to the children of an inner node. */
export function partitionByChild<T extends { readonly key: Key }>(
  children: readonly Child[],
  level: number,
  items: readonly T[],
): Partition<T> {
  const owners: (Child | undefined)[] = Array.from({ length: 1 << BITS });
  for (const child of children) owners.fill(child, child.slot, child.slot + widthOf(child));
  const byChild = new Map<Child, T[]>();
  const unassigned: T[] = [];
  for (const item of items) {
    const child = owners[slotAt(item.key, level)];
    if (child === undefined) unassigned.push(item);
    else addToList(byChild, child, item);
  }
  return { byChild, unassigned };
}
