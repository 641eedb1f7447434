import { LRUCache } from 'lru-cache';
import {
  emptyRoot,
  entries,
  hashFromBytes,
  hashToBytes,
  size,
  type Load,
  type NodeHash,
} from '../../content-engine/map/index.ts';
import {
  buildTree,
  deriveTree,
  sizeOfRecord,
  type ContentRecord,
  type Tree,
} from '../../content-engine/tree/index.ts';
import { requireSmall } from '../../platform/api/too-large-here.ts';
import { createBodyFactsCache } from './body-facts.ts';
import { createObjectCache, loaderOf, type StorageContext } from './objects.ts';

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

declare module '../../platform/api/context.ts' {
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

export function treeAt(ctx: StorageContext, load: Load, root: NodeHash): Promise<Tree> {
  const { trees } = ctx.caches;
  let tree = trees.get(root);
  if (!tree) {
    tree = buildAt(ctx, load, root);
    trees.set(root, tree);
    tree.then(
      (built) => set(trees, root, built),
      () => trees.delete(root),
    );
  }
  return tree;
}

/** The tree of a revision. */
export const readTree = (
  ctx: StorageContext,
  row: { readonly store_id: string; readonly root: Buffer | null },
): Promise<Tree> => treeAt(ctx, loaderOf(ctx, row.store_id), rootOf(row));

async function buildAt(ctx: StorageContext, load: Load, root: NodeHash): Promise<Tree> {
  requireSmall(ctx, 'tree', await size(load, root));
  return buildTree(await entries<ContentRecord>(load, root));
}

/** A tree with more new records, or larger ones, is not cached: it is read from its objects when it is needed. */
const MAX_COPIED = 500;
const MAX_COPIED_BYTES = 4 * 1024 * 1024;

/**
 * Caches the tree of a new revision, which is derived from that of its parent. Titles and hrefs of new records may be cut
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
