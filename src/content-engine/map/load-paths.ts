import { BITS, type Key, type NodeHash } from './hash.ts';
import { loadNodes, nodeIn, type Load } from './load.ts';
import { isInner, LEAF_SIZE, type Child, type Entry, type Node } from './node.ts';
import { partitionByChild } from './partition.ts';

interface KeyedChange {
  readonly key: Key;
  readonly record: unknown;
}

interface Step {
  readonly hash: NodeHash;
  readonly changes: readonly KeyedChange[];
}

/**
 * Loads all nodes that a change needs, level by level: the paths to its keys, and leaves that may have to be merged.
 */
export async function loadPaths<E extends Entry>(
  load: Load,
  root: NodeHash,
  changes: readonly KeyedChange[],
): Promise<Map<NodeHash, Node<E>>> {
  const all = new Map<NodeHash, Node<E>>();
  let steps: Step[] = [{ hash: root, changes }];
  for (let level = 0; steps.length > 0; level++) {
    const nodes = await loadNodes<E>(
      load,
      steps.map(({ hash }) => hash),
    );
    for (const [hash, node] of nodes) all.set(hash, node);
    steps = steps.flatMap(({ hash, changes }) => stepsBelow(nodeIn(nodes, hash), level, changes));
  }
  return all;
}

function stepsBelow<E extends Entry>(node: Node<E>, level: number, changes: readonly KeyedChange[]): Step[] {
  if (!isInner(node)) return [];
  const { byChild } = partitionByChild(node.children, level, changes);
  const onPath = Array.from(byChild, ([child, changes]) => ({ hash: child.hash, changes }));
  // Without deletions, no range gets few enough entries.
  if (changes.every(({ record }) => record !== null)) return onPath;
  const countAfter = (child: Child) =>
    child.count - (byChild.get(child) ?? []).filter(({ record }) => record === null).length;
  const toMerge = leavesToMerge(node.children, countAfter).filter((child) => !byChild.has(child));
  return [...onPath, ...toMerge.map(({ hash }) => ({ hash, changes: [] }))];
}

/** The leaves of every range that may have 16 entries or fewer after the deletions, and then must become one leaf. */
function leavesToMerge(
  part: readonly Child[],
  countAfter: (child: Child) => number,
  slot = 0,
  bits = 0,
): readonly Child[] {
  if (part.length < 2) return [];
  if (part.reduce((sum, child) => sum + countAfter(child), 0) <= LEAF_SIZE) return part;
  const middle = slot + (1 << (BITS - bits - 1));
  const lower = part.filter((child) => child.slot < middle);
  const upper = part.filter((child) => child.slot >= middle);
  return [
    ...leavesToMerge(lower, countAfter, slot, bits + 1),
    ...leavesToMerge(upper, countAfter, middle, bits + 1),
  ];
}
