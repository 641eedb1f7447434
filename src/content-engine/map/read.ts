import { keyOf, type Key, type NodeHash } from './hash.ts';
import { loadNodes, nodeIn, type Load } from './load.ts';
import { emptyRoot, isInner, type Entry } from './node.ts';
import { partitionByChild } from './partition.ts';
import { walk } from './walk.ts';

interface WantedId {
  readonly id: string;
  readonly key: Key;
}

/** The entries with these ids that exist. One round trip per level of the trie, for any number of ids. */
export async function get<E extends Entry>(
  load: Load,
  root: NodeHash,
  ids: Iterable<string>,
): Promise<Map<string, E>> {
  const found = new Map<string, E>();
  const all = Array.from(new Set(ids), (id): WantedId => ({ id, key: keyOf(id) }));
  let steps = all.length === 0 ? [] : [{ hash: root, wanted: all as readonly WantedId[] }];
  for (let level = 0; steps.length > 0; level++) {
    const nodes = await loadNodes<E>(
      load,
      steps.map(({ hash }) => hash),
    );
    steps = steps.flatMap(({ hash, wanted }) => {
      const node = nodeIn(nodes, hash);
      if (!isInner(node)) {
        const ids = new Set(wanted.map(({ id }) => id));
        for (const record of node.records) if (ids.has(record.id)) found.set(record.id, record);
        return [];
      }
      const { byChild } = partitionByChild(node.children, level, wanted);
      return Array.from(byChild, ([child, wanted]) => ({ hash: child.hash, wanted }));
    });
  }
  return found;
}

/** All entries, in no particular order. */
export async function entries<E extends Entry>(load: Load, root: NodeHash): Promise<E[]> {
  const all: E[] = [];
  for await (const { records } of walk<E>(load, root)) for (const record of records) all.push(record);
  return all;
}

/** The number of entries. Loads one node: inner nodes have the counts. */
export async function size(load: Load, root: NodeHash): Promise<number> {
  if (root === emptyRoot) return 0;
  const node = nodeIn(await loadNodes(load, [root]), root);
  return isInner(node) ? node.children.reduce((sum, { count }) => sum + count, 0) : node.records.length;
}
