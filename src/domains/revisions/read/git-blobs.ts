import { LRUCache } from 'lru-cache';
import { folderPaths } from '../../../content-engine/folder/index.ts';
import { isSame, type Load } from '../../../content-engine/map/index.ts';
import type { ContentRecord, Tree } from '../../../content-engine/tree/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { findSynchronized, unpackFiles, type ManagedFiles } from './git-blobs-store.ts';
import type { BlobOf, ContentRow, GitBlob } from '../policy.ts';
import { rootOf, treeAt } from '../../content-store/index.ts';

interface Synchronized {
  readonly directory: string;
  readonly files: ManagedFiles;
  readonly tree: Tree;
  /** Paths by id: pages that were made in the space have a file only in the repository. */
  readonly paths: ReadonlyMap<string, string>;
}

/** Keys have the space and the time of its last synchronization: entries are never invalidated. */
export type GitBlobCache = LRUCache<string, Promise<Synchronized | undefined>>;

/** A synchronized space of 20,000 files has some megabytes of paths and object ids. */
const MAX_SPACES = 4;

export const createGitBlobCache = (): GitBlobCache => new LRUCache({ max: MAX_SPACES });

declare module '../../../platform/api/context.ts' {
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
  const tree = await treeAt(ctx, load, rootOf({ root }));
  const paths = folderPaths(tree);
  return { directory, files: unpackFiles(files), tree, paths };
}

function blobOf({ directory, files, tree, paths }: Synchronized, record: ContentRecord): GitBlob | undefined {
  const path = paths.get(record.id);
  const oid = path === undefined ? undefined : files.get(path);
  const common = tree.records.get(record.id);
  if (path === undefined || oid === undefined || !common || !isSame(contentOf(common), contentOf(record)))
    return undefined;
  return { oid, path: directory === '' ? path : `${directory}/${path}` };
}

/** What the bytes of its file follow from, apart from links to entries that were moved. */
function contentOf(record: ContentRecord): unknown {
  if (record.kind === 'file') return [record.hash, record.path ?? null];
  const content = new Map(Object.entries(record));
  for (const name of NOT_IN_FILE) content.delete(name);
  return Object.fromEntries(content);
}

/** Where a page is, and when it was changed. */
const NOT_IN_FILE = ['parent', 'position', 'slug', 'label', 'createdAt', 'updatedAt', 'links'];
