import type { NodeHash } from './hash.ts';
import { decode, emptyRoot, type Entry, type Node } from './node.ts';

/** Loads the bytes of nodes, in the given order. One call is one round trip: there is one per level of the trie. */
export type Load = (hashes: readonly NodeHash[]) => Promise<readonly (Uint8Array | undefined)[]>;

export async function loadNodes<E extends Entry>(
  load: Load,
  hashes: readonly NodeHash[],
): Promise<Map<NodeHash, Node<E>>> {
  const wanted = [...new Set(hashes)].filter((hash) => hash !== emptyRoot);
  const found = wanted.length === 0 ? [] : await load(wanted);
  const nodes = new Map<NodeHash, Node<E>>([[emptyRoot, { records: [] }]]);
  for (const [index, hash] of wanted.entries()) {
    const bytes = found[index];
    if (bytes === undefined) throw new Error(`The node ${hash} of the map is not in the store`);
    nodes.set(hash, decode(bytes));
  }
  return nodes;
}

/** A node that must be loaded already. */
export function nodeIn<E extends Entry>(nodes: ReadonlyMap<NodeHash, Node<E>>, hash: NodeHash): Node<E> {
  const node = nodes.get(hash);
  if (node === undefined) throw new Error(`The node ${hash} of the map was not loaded`);
  return node;
}
