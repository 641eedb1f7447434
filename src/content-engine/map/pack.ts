import { BITS, keyOf, nodeHashOf, slotAt, type Key, type NodeHash } from './hash.ts';
import { encodeInner, encodeLeaf, isInner, LEAF_SIZE, type Child, type Entry, type Node } from './node.ts';

export interface KeyedRecord<E extends Entry> {
  readonly key: Key;
  readonly record: E;
}

export const keyed = <E extends Entry>(record: E): KeyedRecord<E> => ({ key: keyOf(record.id), record });

/** Collects new nodes. `old` are the loaded nodes. */
export interface Writer<E extends Entry> {
  readonly old: ReadonlyMap<NodeHash, Node<E>>;
  readonly nodes: Map<NodeHash, Uint8Array>;
}

/**
 * Writes the inner node of more than 16 entries. Its structure depends on the keys alone: it is halved by one bit
 * until a part has at most 16 entries, which becomes a leaf, or until the five bits of the node are used up. Halving
 * by single bits fills leaves to two thirds at any size; with full fan-out they would be nearly empty at some sizes.
 */
export function packInner<E extends Entry>(
  writer: Writer<E>,
  level: number,
  loose: readonly KeyedRecord<E>[],
  subtrees: readonly Child[],
): NodeHash {
  const children: Child[] = [];
  function place(
    slot: number,
    bits: number,
    loose: readonly KeyedRecord<E>[],
    subtrees: readonly Child[],
  ): void {
    const count = countOf(loose, subtrees);
    if (count === 0) return;
    if (bits > 0 && count <= LEAF_SIZE) {
      children.push({ slot, bits, count, hash: packLeaf(writer, loose, subtrees) });
    } else if (bits === BITS) {
      const [inner] = subtrees;
      children.push(inner ?? { slot, bits, count, hash: packInner(writer, level + 1, loose, []) });
    } else {
      const middle = slot + (1 << (BITS - bits - 1));
      const isLower = ({ key }: KeyedRecord<E>) => slotAt(key, level) < middle;
      place(
        slot,
        bits + 1,
        loose.filter(isLower),
        subtrees.filter((child) => child.slot < middle),
      );
      place(
        middle,
        bits + 1,
        loose.filter((entry) => !isLower(entry)),
        subtrees.filter((child) => child.slot >= middle),
      );
    }
  }
  place(0, 0, loose, subtrees);
  return write(writer, encodeInner(children));
}

/** A leaf does not contain its position: one that takes over the range of an emptied neighbour is reused unchanged. */
export function packLeaf<E extends Entry>(
  writer: Writer<E>,
  loose: readonly KeyedRecord<E>[],
  subtrees: readonly Child[],
): NodeHash {
  const [only] = subtrees;
  if (only !== undefined && subtrees.length === 1 && loose.length === 0) return only.hash;
  return write(writer, encodeLeaf([...loose, ...unpack(writer, subtrees)].map(({ record }) => record)));
}

/** The records of leaves that are about to be merged. */
export function unpack<E extends Entry>(writer: Writer<E>, subtrees: readonly Child[]): KeyedRecord<E>[] {
  return subtrees.flatMap(({ hash }) => {
    const node = writer.old.get(hash);
    if (node === undefined || isInner(node)) throw new Error(`The leaf ${hash} of the map was not loaded`);
    return node.records.map(keyed);
  });
}

export const countOf = (loose: readonly unknown[], subtrees: readonly Child[]): number =>
  subtrees.reduce((sum, { count }) => sum + count, loose.length);

export function write<E extends Entry>(writer: Writer<E>, bytes: Uint8Array): NodeHash {
  const hash = nodeHashOf(bytes);
  if (!writer.old.has(hash)) writer.nodes.set(hash, bytes);
  return hash;
}
