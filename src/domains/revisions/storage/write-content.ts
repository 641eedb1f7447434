import { apply, type Hash, type Load, type NodeHash } from '../../../content-engine/map/index.ts';
import type { ContentRecord, Tree } from '../../../content-engine/tree/index.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { bytesOf, keep, loaderOf, type NewTexts } from './objects.ts';
import type { ContentRow } from '../policy.ts';
import { writeObjects } from './store.ts';
import { keepTree, rootOf } from './trees.ts';

/** A revision that another is based on, with its tree. */
export interface Base extends Pick<ContentRow, 'store_id' | 'revision_id' | 'root'> {
  readonly tree: Tree;
}

/** The content of a revision, as its differences from the base. */
export interface Content {
  /** Records by id; null: deleted. */
  readonly changed: ReadonlyMap<string, ContentRecord | null>;
  readonly tree: Tree;
  readonly texts: NewTexts;
}

/** The root of a revision's map, and the objects that its base does not have. */
export async function newObjects(load: Load, base: Base, { changed, tree, texts }: Content) {
  const { root, nodes } = await apply(load, rootOf(base), changed);
  const objects = new Map<Hash | NodeHash, Uint8Array>([...bytesOf(texts), ...nodes]);
  keep(objects);
  keepTree(root, tree);
  return { root, objects };
}

/** Writes the objects that the base does not have. Returns the root of the new map. */
export async function writeContent(db: Database, base: Base, content: Content): Promise<NodeHash> {
  const { root, objects } = await newObjects(loaderOf(db, base.store_id), base, content);
  if (root !== rootOf(base)) await writeObjects(db, base.store_id, objects);
  return root;
}
