import { apply, type Hash, type Load, type NodeHash } from '../../../content-engine/map/index.ts';
import type { ContentRecord, Tree } from '../../../content-engine/tree/index.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { bytesOf, keep, loaderOf, type NewTexts } from './objects.ts';
import type { ContentRow } from '../policy.ts';
import { writeObjects } from './store.ts';
import { keepTree, rootOf } from './trees.ts';

/** A revision that another is made of, and the tree of it. */
export interface Base extends Pick<ContentRow, 'store_id' | 'revision_id' | 'root'> {
  readonly tree: Tree;
}

/** What a revision holds, as what is different from its base. */
export interface Content {
  /** What is to be there, and what not any more. */
  readonly changed: ReadonlyMap<string, ContentRecord | null>;
  readonly tree: Tree;
  readonly texts: NewTexts;
}

/** The root of a revision's map, and what it holds that its base does not. */
export async function objectsOf(load: Load, base: Base, { changed, tree, texts }: Content) {
  const { root, nodes } = await apply(load, rootOf(base), changed);
  const objects = new Map<Hash | NodeHash, Uint8Array>([...bytesOf(texts), ...nodes]);
  keep(objects);
  keepTree(root, tree);
  return { root, objects };
}

/** Writes what a new revision holds and its base does not. Answers the root of its map. */
export async function storeChanges(db: Database, base: Base, content: Content): Promise<NodeHash> {
  const { root, objects } = await objectsOf(loaderOf(db, base.store_id), base, content);
  if (root !== rootOf(base)) await writeObjects(db, base.store_id, objects);
  return root;
}
