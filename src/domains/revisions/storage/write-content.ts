import { apply, type Hash, type Load, type NodeHash } from '../../../content-engine/map/index.ts';
import type { ContentRecord, Tree } from '../../../content-engine/tree/index.ts';
import { bytesOf, cacheObjects, loaderOf, type NewTexts, type StorageContext } from './objects.ts';
import type { ContentRow } from '../policy.ts';
import { writeObjects } from './object-store.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { cacheTree, rootOf } from './trees.ts';

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
export async function newObjects(
  { caches }: StorageContext,
  load: Load,
  base: Base,
  { changed, tree, texts }: Content,
) {
  const { root, nodes } = await apply(load, rootOf(base), changed);
  const objects = new Map<Hash | NodeHash, Uint8Array>([...bytesOf(texts), ...nodes]);
  cacheObjects(caches.objects, objects);
  cacheTree(caches.trees, root, tree, changed);
  return { root, objects };
}

/** How many texts a statement writes: more would hold a second copy of all of them in memory. */
const WRITTEN_AT_ONCE = 64;

/** Stores texts before the revision that refers to them. Texts that no revision refers to are collected after a day. */
export async function storeTexts(db: Database, storeId: string, texts: NewTexts): Promise<void> {
  const all = [...texts];
  for (let at = 0; at < all.length; at += WRITTEN_AT_ONCE)
    await writeObjects(db, storeId, bytesOf(new Map(all.slice(at, at + WRITTEN_AT_ONCE))));
}

/** Writes the objects that the base does not have. Returns the root of the new map. */
export async function writeContent(ctx: StorageContext, base: Base, content: Content): Promise<NodeHash> {
  const { root, objects } = await newObjects(ctx, loaderOf(ctx, base.store_id), base, content);
  if (root !== rootOf(base)) await writeObjects(ctx.db, base.store_id, objects);
  return root;
}
