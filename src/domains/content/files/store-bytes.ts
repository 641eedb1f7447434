import { hashFromBytes, hashOf, hashToBytes, type Hash } from '../../../content-engine/map/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { dimensionsOf, sha256, typeOf, type Dimensions } from '../../../platform/files/index.ts';
import { findHolders, lockFiles, insertStoredFiles } from './store.ts';
import { requireStorage } from './quota-store.ts';

export const MAX_FILE = 100 * 1024 * 1024;

/** A file whose bytes are stored, ready to become an entry. */
export interface StoredFile {
  readonly hash: Hash;
  readonly size: number;
  readonly contentType: string;
  readonly dimensions?: Dimensions;
}

type StoreContext = Pick<Context, 'db' | 'files'>;

/** Stores one file and describes it. */
export async function storeBytes(
  ctx: StoreContext,
  storeId: string,
  name: string,
  bytes: Uint8Array,
): Promise<StoredFile> {
  const described = await describeLargeFile(bytes, name);
  await storeAll(ctx, storeId, new Map([[described.hash, bytes]]));
  return described;
}

/** The same as `describeFile`, with pauses: hashing 100 MB takes half a second. */
export const describeLargeFile = async (bytes: Uint8Array, name: string): Promise<StoredFile> =>
  describeFile(bytes, name, hashFromBytes(await sha256(bytes)));

/** The type is detected in the bytes; a name alone is not trusted. */
export function describeFile(bytes: Uint8Array, name: string, hash = hashOf(bytes)): StoredFile {
  const contentType = typeOf(bytes, name);
  const dimensions = contentType.startsWith('image/') ? dimensionsOf(bytes) : undefined;
  return { hash, size: bytes.length, contentType, ...(dimensions ? { dimensions } : {}) };
}

/** Stores all of these or none, concurrently, in a transaction that lasts as long as file storage needs. */
export async function storeAll(
  ctx: StoreContext,
  storeId: string,
  contents: ReadonlyMap<Hash, Uint8Array>,
): Promise<void> {
  if (contents.size === 0) return;
  const store = (db: Database) => storeIn(db, ctx, storeId, contents);
  await (ctx.db.isTransaction ? store(ctx.db) : ctx.db.transaction().execute(store));
}

async function storeIn(
  db: Database,
  { files }: StoreContext,
  storeId: string,
  contents: ReadonlyMap<Hash, Uint8Array>,
): Promise<void> {
  const hashes = [...contents.keys()];
  await lockFiles(db, hashes);
  const { inStore, inAny } = await findHolders(db, storeId, hashes);
  const sizes = Array.from(contents, ([hash, bytes]) => ({ hash, size: bytes.length }));
  const added = sizes.filter(({ hash }) => !inStore.has(hash)).reduce((sum, { size }) => sum + size, 0);
  if (added > 0) await requireStorage(db, storeId, added);
  try {
    const puts = Array.from(contents.values(), (bytes) => files.put(bytes, { maxBytes: MAX_FILE }));
    const failed = (await Promise.allSettled(puts)).find((put) => put.status === 'rejected');
    if (failed) throw failed.reason;
    // After the bytes: from here on, other files of this organization wait until the transaction ends.
    await insertStoredFiles(db, storeId, sizes);
  } catch (error) {
    const orphans = hashes.filter((hash) => !inAny.has(hash));
    await Promise.allSettled(orphans.map((hash) => files.remove(storageName(hash))));
    throw error;
  }
}

/** The name in file storage of the content with this hash. */
export const storageName = (hash: Hash): string => hashToBytes(hash).toString('hex');
