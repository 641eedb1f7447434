import {
  CONFIGURATION,
  contentKinds,
  type FolderFile,
  type FolderWarning,
  type ReadFolderOptions,
} from '../../../content-engine/folder/index.ts';
import { hashOf, type Hash } from '../../../content-engine/map/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { tooLarge } from '../../../platform/api/errors.ts';
import { describeLargeFile, MAX_FILE, storeAll } from '../files/store-bytes.ts';
import { requireStorage } from '../files/quota-store.ts';
import { findHolders } from '../files/store.ts';
import type { CollectedAnalyses } from '../../revisions/index.ts';
import { MarkdownReader } from './markdown-reader.ts';

/** A file of a folder to import. Its bytes are read when they are needed: all of them may not fit into memory. */
export interface FolderEntry {
  /** Relative to the folder, with slashes. */
  readonly path: string;
  readonly size: number;
  read(): Promise<Uint8Array>;
}

/** A folder whose files are stored, except its settings and files that are given as bytes. */
export interface StoredFolder extends Pick<ReadFolderOptions, 'outline' | 'analysisOf'> {
  readonly files: readonly FolderFile[];
  /** Of the bodies that are stored. */
  readonly analyses?: CollectedAnalyses;
  readonly warnings?: readonly FolderWarning[];
  /** The bytes of Markdown files whose bodies are stored: they turned out not to be pages. */
  readonly readAgain?: (paths: readonly string[]) => AsyncIterable<Uint8Array>;
}

type StoreContext = Pick<Context, 'db' | 'files'>;

/** Files that are in memory together, and stored in one transaction. */
const BATCH_FILES = 64;
const BATCH_BYTES = 32 * 1024 * 1024;

/** Stores the files of a folder, except its settings. Of Markdown, the bodies are stored. */
export async function storeFolder(
  ctx: StoreContext,
  storeId: string,
  entries: readonly FolderEntry[],
): Promise<StoredFolder> {
  const large = entries.find(({ size }) => size > MAX_FILE);
  if (large) throw tooLarge(`${large.path} exceeds ${MAX_FILE / 1024 / 1024} MB. Nothing was imported.`);
  const configuration = await entries.find(({ path }) => path === CONFIGURATION)?.read();
  const kindOf = contentKinds(configuration);
  const assets = entries.filter(({ path }) => kindOf(path) === 'file');
  await requireRoom(ctx, storeId, assets);
  const files: FolderFile[] = [];
  for (const batch of batchesOf(assets)) {
    const contents = new Map<Hash, Uint8Array>();
    for (const { path, read } of batch) {
      const bytes = await read();
      const stored = await describeLargeFile(bytes, path.slice(path.lastIndexOf('/') + 1));
      contents.set(stored.hash, bytes);
      files.push({ path, stored });
    }
    await storeAll(ctx, storeId, contents);
  }
  const warnings: FolderWarning[] = [];
  const warn = (path: string, message: string) => warnings.push({ path, message });
  const reader = new MarkdownReader({ db: ctx.db, storeId, warn });
  for (const { path, read } of entries) {
    const kind = kindOf(path);
    if (kind === 'file') continue;
    const bytes = await read();
    const markdown = kind === 'setting' ? undefined : await reader.read(path, kind, bytes);
    files.push(markdown ?? { path, bytes });
  }
  const readAgain = async function* (paths: readonly string[]) {
    const wanted = new Set(paths);
    for (const { path, read } of entries) if (wanted.has(path)) yield await read();
  };
  return { files, analyses: await reader.finish(), warnings, readAgain };
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
