import { CONFIGURATION, isReadAsText, type FolderFile } from '../../../content-engine/folder/index.ts';
import { hashOf, type Hash } from '../../../content-engine/map/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { tooLarge } from '../../../platform/api/errors.ts';
import { describeFile, MAX_FILE, storeAll } from '../files/store-bytes.ts';
import { requireStorage } from '../files/quota-store.ts';
import { findHolders } from '../files/store.ts';

/** A file of a folder to import. Its bytes are read when they are needed: all of them may not fit into memory. */
export interface FolderEntry {
  /** Relative to the folder, with slashes. */
  readonly path: string;
  readonly size: number;
  read(): Promise<Uint8Array>;
}

type StoreContext = Pick<Context, 'db' | 'files'>;

/** Files that are in memory together, and stored in one transaction. */
const BATCH_FILES = 64;
const BATCH_BYTES = 32 * 1024 * 1024;

/** Reads the files of a folder that hold its pages and settings, and stores all others. */
export async function storeFolder(
  ctx: StoreContext,
  storeId: string,
  entries: readonly FolderEntry[],
): Promise<FolderFile[]> {
  const large = entries.find(({ size }) => size > MAX_FILE);
  if (large) throw tooLarge(`${large.path} exceeds ${MAX_FILE / 1024 / 1024} MB. Nothing was imported.`);
  const configuration = await entries.find(({ path }) => path === CONFIGURATION)?.read();
  const isText = isReadAsText(configuration);
  const assets = entries.filter(({ path }) => !isText(path));
  await requireRoom(ctx, storeId, assets);
  const files: FolderFile[] = [];
  for (const batch of batchesOf(assets)) {
    const contents = new Map<Hash, Uint8Array>();
    for (const { path, read } of batch) {
      const bytes = await read();
      const stored = describeFile(bytes, path.slice(path.lastIndexOf('/') + 1));
      contents.set(stored.hash, bytes);
      files.push({ path, stored });
    }
    await storeAll(ctx, storeId, contents);
  }
  for (const { path, read } of entries) if (isText(path)) files.push({ path, bytes: await read() });
  return files;
}

/** Refuses a folder that exceeds the quota before any of it is stored. Bytes that are stored already need no room. */
async function requireRoom(
  ctx: StoreContext,
  storeId: string,
  entries: readonly FolderEntry[],
): Promise<void> {
  const require = async (bytes: number) => {
    await ctx.files.requireSpace(bytes);
    await requireStorage(ctx.db, storeId, bytes);
  };
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  const isCertain = await require(total).then(
    () => true,
    () => false,
  );
  if (isCertain) return;
  // Only now is reading everything worth it: files may be stored already, or be duplicates of each other.
  const sizes = new Map<Hash, number>();
  for (const { size, read } of entries) sizes.set(hashOf(await read()), size);
  const { inStore } = await findHolders(ctx.db, storeId, [...sizes.keys()]);
  let missing = 0;
  for (const [hash, size] of sizes) if (!inStore.has(hash)) missing += size;
  if (missing > 0) await require(missing);
}

/** Entries whose bytes may be in memory together. */
export function* batchesOf<E extends { readonly size: number }>(
  entries: readonly E[],
): Iterable<readonly E[]> {
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
