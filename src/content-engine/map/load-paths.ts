import { BITS, type NodeHash, type Key } from './hash.ts';
import { loadNodes, nodeIn, type Load } from './load.ts';
import { isInner, LEAF_SIZE, type Child, type Entry, type Node } from './node.ts';
import { share } from './partition.ts';

interface Wanted {
  readonly key: Key;
  readonly record: unknown;
}

interface Step {
  readonly hash: NodeHash;
  readonly changes: readonly Wanted[];
}

/** Loads all nodes that a change needs, level by level: those on the way to its keys, and leaves that may be joined. */
export async function loadPaths<E extends Entry>(
  load: Load,
  root: NodeHash,
  changes: readonly Wanted[],
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

function stepsBelow<E extends Entry>(node: Node<E>, level: number, changes: readonly Wanted[]): Step[] {
  if (!isInner(node)) return [];
  const { ofChild } = share(node.children, level, changes);
  const onTheWay = Array.from(ofChild, ([child, changes]) => ({ hash: child.hash, changes }));
  const left = (child: Child) =>
    child.count - (ofChild.get(child) ?? []).filter(({ record }) => record === null).length;
  const beside = mayJoin(node.children, left).filter((child) => !ofChild.has(child));
  return [...onTheWay, ...beside.map(({ hash }) => ({ hash, changes: [] }))];
}

/** The leaves of every part that may have 16 entries or fewer after the deletions, and then must become one leaf. */
function mayJoin(
  part: readonly Child[],
  left: (child: Child) => number,
  slot = 0,
  bits = 0,
): readonly Child[] {
  if (part.length < 2) return [];
  if (part.reduce((sum, child) => sum + left(child), 0) <= LEAF_SIZE) return part;
  const middle = slot + (1 << (BITS - bits - 1));
  const lower = part.filter((child) => child.slot < middle);
  const upper = part.filter((child) => child.slot >= middle);
  return [...mayJoin(lower, left, slot, bits + 1), ...mayJoin(upper, left, middle, bits + 1)];
}
