import type { NodeHash } from './hash.ts';
import { loadNodes, type Load } from './load.ts';
import { emptyRoot, isInner, type Entry } from './node.ts';

/** Nodes in one round trip: bounds what a walk over a large map holds in memory. */
const BATCH = 1024;

export interface Reached<E extends Entry> {
  readonly hashes: readonly NodeHash[];
  /** Those of the leaves among the nodes: what they refer to is reachable too. */
  readonly records: readonly E[];
}

/**
 * Everything below a root, in batches. A node that `isKnown` is left out with all below it, so that the walk over the
 * next of many similar maps costs what differs.
 */
export async function* walk<E extends Entry>(
  load: Load,
  root: NodeHash,
  isKnown: (hash: NodeHash) => boolean = () => false,
): AsyncGenerator<Reached<E>, void, undefined> {
  const ahead = [root].filter((hash) => hash !== emptyRoot && !isKnown(hash));
  while (ahead.length > 0) {
    const hashes = ahead.splice(-BATCH);
    const records: E[] = [];
    const nodes = await loadNodes<E>(load, hashes);
    for (const node of nodes.values()) {
      if (isInner(node))
        ahead.push(...node.children.map(({ hash }) => hash).filter((hash) => !isKnown(hash)));
      else records.push(...node.records);
    }
    yield { hashes, records };
  }
}
