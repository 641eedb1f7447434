import { LRUCache } from 'lru-cache';
import {
  emptyRoot,
  entries,
  hashFromBytes,
  hashToBytes,
  type Load,
  type NodeHash,
} from '../../../content-engine/map/index.ts';
import { buildTree, type ContentRecord, type Tree } from '../../../content-engine/tree/index.ts';

/** Entries that all kept trees may have together; each costs some hundred bytes. */
const MAX_ENTRIES = 60_000;
const LEAST = 50;

/** Trees by the root they were made from: equal roots hold equal content, in whatever space. */
const kept = new LRUCache<NodeHash, Promise<Tree>>({ maxSize: MAX_ENTRIES, sizeCalculation: () => LEAST });

export const rootOf = (row: { readonly root: Buffer | null }): NodeHash =>
  row.root === null ? emptyRoot : hashFromBytes(row.root);

/** The value of a root in a column. */
export const columnOf = (root: NodeHash): Buffer | null => (root === emptyRoot ? null : hashToBytes(root));

export function treeAt(load: Load, root: NodeHash): Promise<Tree> {
  let tree = kept.get(root);
  if (!tree) {
    tree = entries<ContentRecord>(load, root).then(buildTree);
    kept.set(root, tree);
    tree.then(
      (made) => keepTree(root, made),
      () => kept.delete(root),
    );
  }
  return tree;
}

/** For the tree of a new revision, which was made from its parent's. */
export const keepTree = (root: NodeHash, tree: Tree): void =>
  void kept.set(root, Promise.resolve(tree), { size: tree.records.size + LEAST });
