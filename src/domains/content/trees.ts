import { LRUCache } from 'lru-cache';
import { emptyRoot, entries, hashFromBytes, type Hash } from '../../content-engine/map/index.ts';
import { buildTree, type ContentRecord, type Tree } from '../../content-engine/tree/index.ts';
import type { Database } from '../../platform/database/connection.ts';
import { loaderOf } from './objects.ts';

/** Entries that all kept trees may have together; each costs some hundred bytes. */
const MAX_ENTRIES = 200_000;

/** Trees by the root they were made from: equal roots hold equal content, in whatever space. */
const kept = new LRUCache<Hash, Promise<Tree>>({ maxSize: MAX_ENTRIES, sizeCalculation: () => 50 });

export const rootOf = (row: { readonly root: Buffer | null }): Hash =>
  row.root === null ? emptyRoot : hashFromBytes(row.root);

export function treeAt(db: Database, storeId: string, root: Hash): Promise<Tree> {
  let tree = kept.get(root);
  if (!tree) {
    tree = readTree(db, storeId, root);
    kept.set(root, tree);
    tree.then(
      (made) => kept.set(root, Promise.resolve(made), { size: made.records.size + 50 }),
      () => kept.delete(root),
    );
  }
  return tree;
}

const readTree = async (db: Database, storeId: string, root: Hash): Promise<Tree> =>
  buildTree(await entries<ContentRecord>(loaderOf(db, storeId), root));

/** For the tree of a new revision, which was made from its parent's. */
export const keepTree = (root: Hash, tree: Tree): void =>
  void kept.set(root, Promise.resolve(tree), { size: tree.records.size + 50 });
