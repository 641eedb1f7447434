import { keyOf, type NodeHash, type Key } from './hash.ts';
import { loadNodes, nodeIn, type Load } from './load.ts';
import { emptyRoot, isInner, type Entry } from './node.ts';
import { share } from './partition.ts';
import { walk } from './walk.ts';

interface Sought {
  readonly id: string;
  readonly key: Key;
}

/** The entries with these ids, as far as the map has them. As many round trips as the trie is deep, however many ids. */
export async function get<E extends Entry>(
  load: Load,
  root: NodeHash,
  ids: Iterable<string>,
): Promise<Map<string, E>> {
  const found = new Map<string, E>();
  const all = Array.from(new Set(ids), (id): Sought => ({ id, key: keyOf(id) }));
  let steps = all.length === 0 ? [] : [{ hash: root, sought: all as readonly Sought[] }];
  for (let level = 0; steps.length > 0; level++) {
    const nodes = await loadNodes<E>(
      load,
      steps.map(({ hash }) => hash),
    );
    steps = steps.flatMap(({ hash, sought }) => {
      const node = nodeIn(nodes, hash);
      if (!isInner(node)) {
        const ids = new Set(sought.map(({ id }) => id));
        for (const record of node.records) if (ids.has(record.id)) found.set(record.id, record);
        return [];
      }
      const { ofChild } = share(node.children, level, sought);
      return Array.from(ofChild, ([child, sought]) => ({ hash: child.hash, sought }));
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

/** How many entries there are: inner nodes know, so it takes one node. */
export async function size(load: Load, root: NodeHash): Promise<number> {
  if (root === emptyRoot) return 0;
  const node = nodeIn(await loadNodes(load, [root]), root);
  return isInner(node) ? node.children.reduce((sum, { count }) => sum + count, 0) : node.records.length;
}
