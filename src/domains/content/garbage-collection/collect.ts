import { hashFromBytes } from '../../../content-engine/map/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { Reachable } from './reachable.ts';
import { lockFiles } from '../files/store.ts';
import { storageName } from '../files/store-bytes.ts';
import { readObjects } from '../../content-store/index.ts';
import { deleteObjects, deleteStoredFile, listOldFiles, listOldObjects, listRoots } from './store.ts';

type CollectContext = Pick<Context, 'db' | 'files'>;

/**
 * Removes objects and files that no revision of a store references, if they were written before `before`. A write
 * renews the age of what it references (`writeObjects`), so that an object about to be referenced is never old.
 */
export async function collectStore(
  ctx: CollectContext,
  storeId: string,
  before: Date,
): Promise<{ objects: number; files: number }> {
  const reachable = new Reachable();
  // Bypasses the cache of requests: a walk over all objects would evict their entries.
  const load = (hashes: readonly string[]) => readObjects(ctx.db, storeId, hashes);
  await reachable.add(load, await listRoots(ctx.db, { storeId }));
  return {
    objects: await collectObjects(ctx, storeId, before, reachable),
    files: await collectFiles(ctx, storeId, before, reachable),
  };
}

async function collectObjects(ctx: CollectContext, storeId: string, before: Date, reachable: Reachable) {
  let deleted = 0;
  let after: Buffer | undefined;
  for (;;) {
    const hashes = await listOldObjects(ctx.db, storeId, before, after);
    after = hashes.at(-1);
    if (!after) return deleted;
    const unreachable = hashes.filter((hash) => !reachable.objects.has(hashFromBytes(hash)));
    if (unreachable.length > 0) deleted += await deleteObjects(ctx.db, storeId, before, unreachable);
  }
}

async function collectFiles(ctx: CollectContext, storeId: string, before: Date, reachable: Reachable) {
  let deleted = 0;
  for (const hash of await listOldFiles(ctx.db, storeId, before)) {
    if (reachable.files.has(hash)) continue;
    await ctx.db.transaction().execute(async (db) => {
      await lockFiles(db, [hash]);
      const { isDeleted, isUnreferenced } = await deleteStoredFile(db, storeId, hash, before);
      if (isDeleted) deleted++;
      if (isDeleted && isUnreferenced) await ctx.files.remove(storageName(hash), { storedBefore: before });
    });
  }
  return deleted;
}
