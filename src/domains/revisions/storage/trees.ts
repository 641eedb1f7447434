import { LRUCache } from 'lru-cache';
import {
  emptyRoot,
  hashFromBytes,
  hashToBytes,
  walk,
  type Load,
  type NodeHash,
} from '../../../content-engine/map/index.ts';
import {
  buildTree,
  buildTreeInSteps,
  deriveTree,
  sizeOfRecord,
  type ContentRecord,
  type Tree,
} from '../../../content-engine/tree/index.ts';
import { inSlices, pauseBetweenSlices } from '../../../platform/threads/slices.ts';
import { createBodyFactsCache } from '../body-facts.ts';
import { createObjectCache, type StorageContext } from './objects.ts';

/**
 * Bytes of all cached trees together, as `Tree.size` estimates them: about 60,000 usual records. Trees of one space share
 * most of theirs, which is not taken into account.
 */
const MAX_BYTES = 96 * 1024 * 1024;
const TREE_OVERHEAD = 64 * 1024;

/** Trees by their root hash: equal roots mean equal content, also in different spaces. */
export type TreeCache = LRUCache<NodeHash, Promise<Tree>>;

const createTreeCache = (): TreeCache =>
  new LRUCache({ maxSize: MAX_BYTES, sizeCalculation: () => TREE_OVERHEAD });

declare module '../../../platform/api/context.ts' {
  interface Caches {
    readonly trees: TreeCache;
  }
}

/** The caches of stored content. */
export const createStorageCaches = (): StorageContext['caches'] => ({
  objects: createObjectCache(),
  trees: createTreeCache(),
  bodyFacts: createBodyFactsCache(),
});

export const rootOf = (row: { readonly root: Buffer | null }): NodeHash =>
  row.root === null ? emptyRoot : hashFromBytes(row.root);

/** The value of a root in a column. */
export const columnOf = (root: NodeHash): Buffer | null => (root === emptyRoot ? null : hashToBytes(root));

export function treeAt({ caches }: StorageContext, load: Load, root: NodeHash): Promise<Tree> {
  const { trees } = caches;
  let tree = trees.get(root);
  if (!tree) {
    tree = recordsAt(load, root).then(build);
    trees.set(root, tree);
    tree.then(
      (built) => set(trees, root, built),
      () => trees.delete(root),
    );
  }
  return tree;
}

/** All records. Those of a large space are decoded in slices. */
async function recordsAt(load: Load, root: NodeHash): Promise<ContentRecord[]> {
  const all: ContentRecord[] = [];
  const pause = pauseBetweenSlices();
  for await (const { records } of walk<ContentRecord>(load, root, pause)) {
    for (const record of records) all.push(record);
    await pause();
  }
  return all;
}

/** Records that take less than a slice. */
const FEW = 1000;

const build = (records: readonly ContentRecord[]): Tree | Promise<Tree> =>
  records.length > FEW ? inSlices(buildTreeInSteps(records)) : buildTree(records);

/** With more new records than this, or larger ones, the tree is better read from its objects when it is needed. */
const MAX_COPIED = 500;
const MAX_COPIED_BYTES = 4 * 1024 * 1024;

/**
 * For the tree of a new revision, which is derived from that of its parent. Titles and hrefs of new records may be cut
 * from the text of a page, and would keep all of it in memory: the cached tree has copies.
 */
export function cacheTree(
  trees: TreeCache,
  root: NodeHash,
  tree: Tree,
  changed: ReadonlyMap<string, ContentRecord | null>,
): void {
  if (changed.size > MAX_COPIED || sizeOfAll(changed.values()) > MAX_COPIED_BYTES) return;
  const copies = Array.from(changed, ([id, record]) => [id, record && copyOf(record)] as const);
  set(trees, root, deriveTree(tree, copies));
}

const copyOf = (record: ContentRecord): ContentRecord => JSON.parse(JSON.stringify(record)) as ContentRecord;

function sizeOfAll(records: Iterable<ContentRecord | null>): number {
  let size = 0;
  for (const record of records) size += record ? sizeOfRecord(record) : 0;
  return size;
}

/** A tree that is larger than the cache is its only entry, until the next one is used. */
const set = (trees: TreeCache, root: NodeHash, tree: Tree): void =>
  void trees.set(root, Promise.resolve(tree), { size: Math.min(tree.size + TREE_OVERHEAD, MAX_BYTES) });
