import type { WrittenFile } from '../../../content-engine/folder/index.ts';
import type { Hash } from '../../../content-engine/map/index.ts';
import type { ContentRecord, Tree } from '../../../content-engine/tree/index.ts';
import type { FileChange, Repository, TreeEntry } from '../../../platform/git/index.ts';
import { recordsByPath } from '../records-by-path.ts';
import type { ManagedFiles } from '../../revisions/index.ts';
import type { OperationLog } from '../operations/operation-log.ts';

/** What the space and the branch had in common: empty at the first export. */
export interface Common {
  readonly tree: Tree;
  readonly files: ManagedFiles;
}

export interface ExportPlan {
  /** The changes of a commit, with paths from the root of the repository. They can be read once: their bytes are not kept. */
  readonly changes: AsyncGenerator<FileChange, void, undefined>;
  /** All files of the space after it. Complete when the changes have been read. */
  readonly files: ManagedFiles;
}

export interface ExportSources {
  /** Whether all other files are as they were. */
  readonly isPartial: boolean;
  readonly repository: Repository;
  readonly directory: string;
  /** Files of the directory as the branch has them now. */
  readonly present: readonly TreeEntry[];
  readonly common: Common | undefined;
  /** The files of the branch that the space was synchronized with before, if this one is new. */
  readonly earlier: readonly TreeEntry[];
  readonly readFile: (path: string, hash: Hash) => Promise<Uint8Array>;
  readonly log: OperationLog;
}

/**
 * Only files whose bytes differ are written, and only files that the space had and has no more are deleted: everything
 * else of the repository stays as it is.
 */
export function planExport(written: AsyncIterable<WrittenFile>, sources: ExportSources): ExportPlan {
  const files = new Map<string, string>(sources.isPartial ? sources.common?.files : []);
  return { changes: findChanges(written, sources, files), files };
}

async function* findChanges(
  written: AsyncIterable<WrittenFile>,
  { isPartial, repository, directory, present, common, earlier, readFile, log }: ExportSources,
  files: Map<string, string>,
): ExportPlan['changes'] {
  const byPath = new Map(present.map((entry) => [entry.path, entry]));
  const earlierByPath = new Map(earlier.map((entry) => [entry.path, entry]));
  const before = common && !isPartial ? recordsByPath(common.tree) : undefined;
  const known = common && before ? objectIdsOf(common, before) : new Map<Hash, string>();
  const inRepository = (path: string) => (directory === '' ? path : `${directory}/${path}`);
  const kept = new Set<string>();
  for await (const file of written) {
    const { path } = file;
    kept.add(path);
    const there = byPath.get(path);
    const obstacle = obstacleAt(byPath, path);
    if (obstacle !== undefined) {
      log.warn(`Not exported: the repository has ${obstacle} here`, path);
      continue;
    }
    const knownId = 'file' in file ? known.get(file.file) : undefined;
    if (knownId !== undefined && there?.oid === knownId) {
      files.set(path, knownId);
      continue;
    }
    const bytes = 'text' in file ? Buffer.from(file.text) : await readFile(path, file.file);
    const oid = repository.blobId(bytes);
    files.set(path, oid);
    if (there?.oid === oid) continue;
    log.info(there ? 'Changed' : 'Added', path);
    yield {
      path: inRepository(path),
      bytes,
      size: bytes.length,
      ...((there ?? earlierByPath.get(path))?.kind === 'executable' ? { executable: true } : {}),
    };
  }
  for (const { path, kind } of earlier) {
    if (kind === 'link' || kind === 'submodule')
      log.warn(`Not exported: the earlier branch has ${NAMES[kind]} here`, path);
  }
  if (isPartial) return;
  for (const path of common?.files.keys() ?? []) {
    if (kept.has(path) || !before?.has(path) || !byPath.has(path)) continue;
    log.info('Deleted', path);
    yield { path: inRepository(path), isDeleted: true };
  }
}

/** Object ids of stored files, by their content: they are not read to compare them. */
function objectIdsOf({ files }: Common, before: ReadonlyMap<string, ContentRecord>): Map<Hash, string> {
  const ids = new Map<Hash, string>();
  for (const [path, oid] of files) {
    const record = before.get(path);
    if (record?.kind === 'file') ids.set(record.hash, oid);
  }
  return ids;
}

const NAMES = { link: 'a symbolic link', submodule: 'a submodule' } as const;

/** What must not be replaced: a link or a submodule at the path, or anything but a directory above it. */
function obstacleAt(byPath: ReadonlyMap<string, TreeEntry>, path: string): string | undefined {
  const kind = byPath.get(path)?.kind;
  if (kind === 'link' || kind === 'submodule') return NAMES[kind];
  for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1))
    if (byPath.has(path.slice(0, end))) return `a file "${path.slice(0, end)}"`;
  return undefined;
}
