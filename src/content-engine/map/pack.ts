import { BITS, nodeHashOf, keyOf, slotAt, type NodeHash, type Key } from './hash.ts';
import { encodeInner, encodeLeaf, isInner, LEAF_SIZE, type Child, type Entry, type Node } from './node.ts';

export interface Keyed<E extends Entry> {
  readonly key: Key;
  readonly record: E;
}

export const keyed = <E extends Entry>(record: E): Keyed<E> => ({ key: keyOf(record.id), record });

/** Where new nodes go, and where the records of old leaves come from. */
export interface Writer<E extends Entry> {
  readonly old: ReadonlyMap<NodeHash, Node<E>>;
  readonly nodes: Map<NodeHash, Uint8Array>;
}

/**
 * Makes the inner node of more than 16 entries. The form follows from the keys alone: halve by one bit until a part has
 * at most 16 entries, which is a leaf, or until the node's five bits are used up. Halving by single bits fills leaves
 * to two thirds at any size; with whole fan-outs they would be nearly empty at some sizes.
 */
export function packInner<E extends Entry>(
  writer: Writer<E>,
  level: number,
  loose: readonly Keyed<E>[],
  kept: readonly Child[],
): NodeHash {
  const children: Child[] = [];
  const place = (slot: number, bits: number, loose: readonly Keyed<E>[], kept: readonly Child[]): void => {
    const count = countOf(loose, kept);
    if (count === 0) return;
    if (bits > 0 && count <= LEAF_SIZE) {
      children.push({ slot, bits, count, hash: packLeaf(writer, loose, kept) });
    } else if (bits === BITS) {
      const [inner] = kept;
      children.push(inner ?? { slot, bits, count, hash: packInner(writer, level + 1, loose, []) });
    } else {
      const middle = slot + (1 << (BITS - bits - 1));
      const isLower = ({ key }: Keyed<E>) => slotAt(key, level) < middle;
      place(
        slot,
        bits + 1,
        loose.filter(isLower),
        kept.filter((child) => child.slot < middle),
      );
      place(
        middle,
        bits + 1,
        loose.filter((entry) => !isLower(entry)),
        kept.filter((child) => child.slot >= middle),
      );
    }
  };
  place(0, 0, loose, kept);
  return write(writer, encodeInner(children));
}

/** A leaf does not say where it stands: one that takes over the part of an emptied neighbour stays as it is. */
export function packLeaf<E extends Entry>(
  writer: Writer<E>,
  loose: readonly Keyed<E>[],
  kept: readonly Child[],
): NodeHash {
  const [only] = kept;
  if (only !== undefined && kept.length === 1 && loose.length === 0) return only.hash;
  return write(writer, encodeLeaf([...loose, ...unpack(writer, kept)].map(({ record }) => record)));
}

/** The records of leaves that are about to be joined. */
export function unpack<E extends Entry>(writer: Writer<E>, kept: readonly Child[]): Keyed<E>[] {
  return kept.flatMap(({ hash }) => {
    const node = writer.old.get(hash);
    if (node === undefined || isInner(node)) throw new Error(`The leaf ${hash} of the map was not loaded`);
    return node.records.map(keyed);
  });
}

export const countOf = (loose: readonly unknown[], kept: readonly Child[]): number =>
  kept.reduce((sum, { count }) => sum + count, loose.length);

export function write<E extends Entry>({ old, nodes }: Writer<E>, bytes: Uint8Array): NodeHash {
  const hash = nodeHashOf(bytes);
  if (!old.has(hash)) nodes.set(hash, bytes);
  return hash;
}
