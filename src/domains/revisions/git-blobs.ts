import { LRUCache } from 'lru-cache';
import type { Load } from '../../content-engine/map/index.ts';
import { isSame } from '../../content-engine/map/index.ts';
import type { ContentRecord, Tree } from '../../content-engine/tree/index.ts';
import type { Context } from '../../platform/api/context.ts';
import { findSynchronized, unpackFiles, type ManagedFiles } from './git-blobs-store.ts';
import type { BlobOf, ContentRow, GitBlob } from './policy.ts';
import { rootOf, treeAt } from './storage/trees.ts';

interface Synchronized {
  readonly directory: string;
  readonly files: ManagedFiles;
  readonly tree: Tree;
}

/** By space and time of its last synchronization: entries are never invalidated. */
export type GitBlobCache = LRUCache<string, Promise<Synchronized | undefined>>;

/** A synchronized space of 20,000 files has some megabytes of paths and object ids. */
const MAX_SPACES = 4;

export const createGitBlobCache = (): GitBlobCache => new LRUCache({ max: MAX_SPACES });

declare module '../../platform/api/context.ts' {
  interface Caches {
    readonly gitBlobs: GitBlobCache;
  }
}

export async function blobsOf(ctx: Context, load: Load, row: ContentRow): Promise<BlobOf | undefined> {
  if (row.git_synced_at === null) return undefined;
  const synchronized = await findCached(ctx, load, row);
  return synchronized && ((record) => blobOf(synchronized, record));
}

function findCached(ctx: Context, load: Load, row: ContentRow): Promise<Synchronized | undefined> {
  const { gitBlobs } = ctx.caches;
  const key = `${row.space_id} ${row.git_synced_at}`;
  let found = gitBlobs.get(key);
  if (!found) {
    found = read(ctx, load, row);
    gitBlobs.set(key, found);
    found.catch(() => gitBlobs.delete(key));
  }
  return found;
}

async function read(ctx: Context, load: Load, row: ContentRow): Promise<Synchronized | undefined> {
  const state = await findSynchronized(ctx.db, row.space_id);
  if (!state) return undefined;
  const { directory, files, root } = state;
  return { directory, files: unpackFiles(files), tree: await treeAt(ctx, load, rootOf({ root })) };
}

function blobOf({ directory, files, tree }: Synchronized, record: ContentRecord): GitBlob | undefined {
  const path = pathOf(record);
  const oid = path === undefined ? undefined : files.get(path);
  const common = tree.records.get(record.id);
  if (path === undefined || oid === undefined || !common || !isSame(contentOf(common), contentOf(record)))
    return undefined;
  return { oid, path: directory === '' ? path : `${directory}/${path}` };
}

const pathOf = (record: ContentRecord): string | undefined =>
  record.kind === 'file' ? record.path : 'source' in record ? record.source?.path : undefined;

/** What the bytes of its file follow from, apart from links to entries that were moved. */
const contentOf = (record: ContentRecord): unknown =>
  record.kind === 'file'
    ? [record.hash, record.path ?? null]
    : 'document' in record
      ? [record.document, record.source ?? null]
      : null;
