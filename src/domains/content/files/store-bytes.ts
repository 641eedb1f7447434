import { hashOf, hashToBytes, type Hash } from '../../../content-engine/map/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { dimensionsOf, typeOf, type Content, type Dimensions } from '../../../platform/files/index.ts';
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
  const described = describeFile(bytes, name);
  await storeAll(ctx, storeId, new Map([[described.hash, bytes]]));
  return described;
}

/** The type is detected in the bytes; a name alone is not trusted. */
export const describeFile = (bytes: Uint8Array, name: string): StoredFile =>
  describeHead(bytes, name, { hash: hashOf(bytes), size: bytes.length });

/** Describes a file by its first megabyte. */
export function describeHead(
  head: Uint8Array,
  name: string,
  { hash, size }: Pick<StoredFile, 'hash' | 'size'>,
): StoredFile {
  const contentType = typeOf(head, name);
  const dimensions = contentType.startsWith('image/') ? dimensionsOf(head) : undefined;
  return { hash, size, contentType, ...(dimensions ? { dimensions } : {}) };
}

/** Stores all of these or none, concurrently. */
export const storeAll = (
  ctx: StoreContext,
  storeId: string,
  contents: ReadonlyMap<Hash, Uint8Array>,
): Promise<void> =>
  storeContents(
    ctx,
    storeId,
    Array.from(contents, ([hash, bytes]) => ({ hash, size: bytes.length, open: async () => bytes })),
  );

export interface NewContent {
  readonly hash: Hash;
  readonly size: number;
  readonly open: () => Promise<Content>;
}

/** Stores contents in a transaction that lasts as long as file storage needs. */
export async function storeContents(
  ctx: StoreContext,
  storeId: string,
  contents: readonly NewContent[],
): Promise<void> {
  if (contents.length === 0) return;
  const store = (db: Database) => storeIn(db, ctx, storeId, contents);
  await (ctx.db.isTransaction ? store(ctx.db) : ctx.db.transaction().execute(store));
}

async function storeIn(
  db: Database,
  { files }: StoreContext,
  storeId: string,
  contents: readonly NewContent[],
): Promise<void> {
  const hashes = contents.map(({ hash }) => hash);
  await lockFiles(db, hashes);
  const { inStore, inAny } = await findHolders(db, storeId, hashes);
  const added = contents.filter(({ hash }) => !inStore.has(hash)).reduce((sum, { size }) => sum + size, 0);
  if (added > 0) await requireStorage(db, storeId, added);
  try {
    const puts = contents.map(async ({ open }) => files.put(await open(), { maxBytes: MAX_FILE }));
    const failed = (await Promise.allSettled(puts)).find((put) => put.status === 'rejected');
    if (failed) throw failed.reason;
    // After the bytes: from here on, other files of this organization wait until the transaction ends.
    await insertStoredFiles(db, storeId, contents);
  } catch (error) {
    const orphans = hashes.filter((hash) => !inAny.has(hash));
    await Promise.allSettled(orphans.map((hash) => files.remove(storageName(hash))));
    throw error;
  }
}

/** The name in file storage of the content with this hash. */
export const storageName = (hash: Hash): string => hashToBytes(hash).toString('hex');
