import type { FolderFile } from '../../../content-engine/folder/index.ts';
import { hashOf, type Hash } from '../../../content-engine/map/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { requireStorage } from '../files/quota-store.ts';
import { describeFile, storeAll } from '../files/store-bytes.ts';
import { findHolders } from '../files/store.ts';
import {
  nameOf,
  warnOfPointer,
  type FolderEntry,
  type FolderToImport,
  type StoreOptions,
} from './folder-to-import.ts';

type StoreContext = Pick<Context, 'db' | 'files'>;

/** Files that are in memory together, and stored in one transaction. */
const BATCH_FILES = 64;
const BATCH_BYTES = 32 * 1024 * 1024;

/** Stores all files that are not text, except those that are stored already. */
export async function storeAssets<E extends FolderEntry>(
  ctx: StoreContext,
  storeId: string,
  { entries, read }: FolderToImport<E>,
  { warn, storedAs, report }: StoreOptions<E>,
): Promise<FolderFile[]> {
  const files: FolderFile[] = [];
  const missing: E[] = [];
  for (const entry of entries) {
    const stored = storedAs?.(entry);
    if (stored) files.push({ path: entry.path, stored });
    else missing.push(entry);
  }
  await requireRoom(ctx, storeId, { entries: missing, read });
  for (const batch of batchesOf(missing)) {
    const contents = new Map<Hash, Uint8Array>();
    let index = 0;
    for await (const bytes of read(batch)) {
      const { path } = batch[index++] as E;
      warnOfPointer(warn, path, bytes);
      const stored = describeFile(bytes, nameOf(path));
      contents.set(stored.hash, bytes);
      files.push({ path, stored });
    }
    await storeAll(ctx, storeId, contents);
    report?.(files.length);
  }
  return files;
}

/** Refuses a folder that exceeds the quota before any of it is stored. Bytes that are stored already need no room. */
async function requireRoom<E extends FolderEntry>(
  ctx: StoreContext,
  storeId: string,
  { entries, read }: FolderToImport<E>,
): Promise<void> {
  const require = async (bytes: number) => {
    await ctx.files.requireSpace(bytes);
    await requireStorage(ctx.db, storeId, bytes);
  };
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  if (total === 0) return;
  const isCertain = await require(total).then(
    () => true,
    () => false,
  );
  if (isCertain) return;
  // Only now is reading everything worth it: files may be stored already, or be duplicates of each other.
  const sizes = new Map<Hash, number>();
  for await (const bytes of read(entries)) sizes.set(hashOf(bytes), bytes.length);
  const { inStore } = await findHolders(ctx.db, storeId, [...sizes.keys()]);
  let missing = 0;
  for (const [hash, size] of sizes) if (!inStore.has(hash)) missing += size;
  if (missing > 0) await require(missing);
}

/** Entries whose bytes may be in memory together. */
function* batchesOf<E extends FolderEntry>(entries: readonly E[]): Iterable<readonly E[]> {
  let [batch, bytes]: [E[], number] = [[], 0];
  for (const entry of entries) {
    if (batch.length > 0 && (batch.length === BATCH_FILES || bytes + entry.size > BATCH_BYTES)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(entry);
    bytes += entry.size;
  }
  if (batch.length > 0) yield batch;
}

/** Stores Markdown files that are not pages, as files. */
export async function storeUnlisted(
  ctx: StoreContext,
  storeId: string,
  files: AsyncIterable<Uint8Array>,
): Promise<void> {
  let contents = new Map<Hash, Uint8Array>();
  for await (const bytes of files) {
    contents.set(hashOf(bytes), bytes);
    if (contents.size < BATCH_FILES) continue;
    await storeAll(ctx, storeId, contents);
    contents = new Map();
  }
  await storeAll(ctx, storeId, contents);
}
