import type { NodeHash } from './hash.ts';
import { loadNodes, type Load } from './load.ts';
import { emptyRoot, isInner, type Entry } from './node.ts';

/** Nodes per round trip: bounds the memory of a walk over a large map. */
const BATCH = 1024;

export interface Reached<E extends Entry> {
  readonly hashes: readonly NodeHash[];
  /** The records of the leaves among the nodes. */
  readonly records: readonly E[];
}

/**
 * All nodes below a root, in batches. Skips the subtree of a node that `isKnown`, so that walking many similar maps
 * costs only their differences.
 */
export async function* walk<E extends Entry>(
  load: Load,
  root: NodeHash,
  isKnown: (hash: NodeHash) => boolean = () => false,
): AsyncGenerator<Reached<E>, void, undefined> {
  const pending = [root].filter((hash) => hash !== emptyRoot && !isKnown(hash));
  while (pending.length > 0) {
    const hashes = pending.splice(-BATCH);
    const records: E[] = [];
    const nodes = await loadNodes<E>(load, hashes);
    for (const node of nodes.values()) {
      if (isInner(node))
        pending.push(...node.children.map(({ hash }) => hash).filter((hash) => !isKnown(hash)));
      else records.push(...node.records);
    }
    yield { hashes, records };
  }
}
