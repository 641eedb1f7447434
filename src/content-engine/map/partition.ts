import { BITS, slotAt, type Key } from './hash.ts';
import { widthOf, type Child } from './node.ts';

interface Shares<T> {
  readonly ofChild: ReadonlyMap<Child, readonly T[]>;
  /** Of those where no child is. */
  readonly ofNone: readonly T[];
}

/** Which keys are found below which child of an inner node. */
export function share<T extends { readonly key: Key }>(
  children: readonly Child[],
  level: number,
  items: readonly T[],
): Shares<T> {
  const owners: (Child | undefined)[] = Array.from({ length: 1 << BITS });
  for (const child of children) owners.fill(child, child.slot, child.slot + widthOf(child));
  const ofChild = new Map<Child, T[]>();
  const ofNone: T[] = [];
  for (const item of items) {
    const child = owners[slotAt(item.key, level)];
    const own = child && ofChild.get(child);
    if (child === undefined) ofNone.push(item);
    else if (own === undefined) ofChild.set(child, [item]);
    else own.push(item);
  }
  return { ofChild, ofNone };
}
