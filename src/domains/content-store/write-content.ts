import { apply, type Hash, type Load, type NodeHash } from '../../content-engine/map/index.ts';
import type { ContentRecord, Tree } from '../../content-engine/tree/index.ts';
import { bytesOf, cacheObjects, loaderOf, type NewTexts, type StorageContext } from './objects.ts';
import { writeObjects } from './object-store.ts';
import { tooLarge } from '../../platform/api/errors.ts';
import type { Database } from '../../platform/database/connection.ts';
import { sendAhead } from '../../platform/database/send-ahead.ts';
import { requireSmall } from '../../platform/api/too-large-here.ts';
import { cacheTree, rootOf } from './trees.ts';

/** A revision that another is based on, with its tree. */
export interface Base {
  readonly store_id: string;
  readonly revision_id: string;
  /** Null: it is empty. */
  readonly root: Buffer | null;
  readonly tree: Tree;
}

/** The content of a revision, as its differences from the base. */
export interface Content {
  /** Records by id; null: deleted. */
  readonly changed: ReadonlyMap<string, ContentRecord | null>;
  readonly tree: Tree;
  readonly texts: NewTexts;
}

/** The limit of `Tree.size`, because a tree is read into memory as a whole. Some 100,000 usual pages. */
const MAX_TREE_MB = 256;

function requireTreeSize(before: Tree, after: Tree): void {
  if (after.size <= MAX_TREE_MB * 1024 * 1024 || after.size <= before.size) return;
  throw tooLarge(
    `The titles, fields and links of the pages of a space must not exceed ${MAX_TREE_MB} MB in memory. Divide the content between several spaces.`,
  );
}

/** The root of a revision's map, and the objects that its base does not have. */
export async function newObjects(
  ctx: StorageContext,
  load: Load,
  base: Base,
  { changed, tree, texts }: Content,
) {
  requireTreeSize(base.tree, tree);
  requireSmall(ctx, 'items', changed.size);
  const { root, nodes } = await apply(load, rootOf(base), changed);
  const objects = new Map<Hash | NodeHash, Uint8Array>(nodes);
  for (const [hash, text] of texts) objects.set(hash, Buffer.from(text, 'utf8'));
  cacheObjects(ctx.caches.objects, objects);
  cacheTree(ctx.caches.trees, root, tree, changed);
  return { root, objects };
}

/** What a statement writes: more would hold a second copy of all texts in memory. */
const MAX_TEXTS = 64;
const MAX_LENGTH = 2 * 1024 * 1024;

/**
 * Stores texts before the revision that refers to them. Texts that no revision refers to are collected after a day. The
 * next ones are compressed while the database writes.
 */
export const storeTexts = (db: Database, storeId: string, texts: NewTexts): Promise<void> =>
  sendAhead(writesOf(db, storeId, texts));

function* writesOf(db: Database, storeId: string, texts: NewTexts): Iterable<() => Promise<void>> {
  for (const some of portionsOf(texts)) yield () => writeObjects(db, storeId, bytesOf(some));
}

function* portionsOf(texts: NewTexts): Iterable<NewTexts> {
  let portion = new Map<string, string>();
  let length = 0;
  for (const [hash, text] of texts) {
    if (portion.size === MAX_TEXTS || (portion.size > 0 && length + text.length > MAX_LENGTH)) {
      yield portion;
      [portion, length] = [new Map(), 0];
    }
    portion.set(hash, text);
    length += text.length;
  }
  if (portion.size > 0) yield portion;
}

/** Writes the objects that the base does not have. Returns the root of the new map. */
export async function writeContent(ctx: StorageContext, base: Base, content: Content): Promise<NodeHash> {
  const { root, objects } = await newObjects(ctx, loaderOf(ctx, base.store_id), base, content);
  if (root !== rootOf(base)) await writeObjects(ctx.db, base.store_id, objects);
  return root;
}
