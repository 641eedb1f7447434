import { withoutPauses, type Pause } from '../pause.ts';
import type { NodeHash } from './hash.ts';
import { decode, emptyRoot, type Entry, type Node } from './node.ts';

/** Loads the bytes of nodes, in the given order. One call is one round trip: there is one per level of the trie. */
export type Load = (hashes: readonly NodeHash[]) => Promise<readonly (Uint8Array | undefined)[]>;

/** Bytes of nodes that are decoded or encoded in a few milliseconds. */
export const BYTES_PER_STEP = 256 * 1024;
/** A leaf of 16 short records takes as long as this many bytes of long ones. */
const MIN_BYTES = 8 * 1024;

export async function loadNodes<E extends Entry>(
  load: Load,
  hashes: readonly NodeHash[],
  pause: Pause = withoutPauses,
): Promise<Map<NodeHash, Node<E>>> {
  const wanted = [...new Set(hashes)].filter((hash) => hash !== emptyRoot);
  const found = wanted.length === 0 ? [] : await load(wanted);
  const nodes = new Map<NodeHash, Node<E>>([[emptyRoot, { records: [] }]]);
  let decoded = 0;
  for (const [index, hash] of wanted.entries()) {
    const bytes = found[index];
    if (bytes === undefined) throw new Error(`The node ${hash} of the map is not in the store`);
    nodes.set(hash, decode(bytes));
    decoded += Math.max(bytes.length, MIN_BYTES);
    if (decoded < BYTES_PER_STEP) continue;
    decoded = 0;
    await pause();
  }
  return nodes;
}

/** A node that must be loaded already. */
export function nodeIn<E extends Entry>(nodes: ReadonlyMap<NodeHash, Node<E>>, hash: NodeHash): Node<E> {
  const node = nodes.get(hash);
  if (node === undefined) throw new Error(`The node ${hash} of the map was not loaded`);
  return node;
}
