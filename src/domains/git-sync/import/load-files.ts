import type { BodyAnalysis } from '../../../content-engine/markdown/index.ts';
import type { ContentRecord, Tree } from '../../../content-engine/tree/index.ts';
import type { Repository, TreeEntry } from '../../../platform/git/index.ts';
import { MAX_FILE, storeFolder, type StoredFile, type StoredFolder } from '../../content/index.ts';
import { cachedFacts } from '../../content-store/index.ts';
import { type ManagedFiles } from '../../revisions/index.ts';
import { findContentDirectory, isSiteConfiguration } from '../content-directory.ts';
import type { Work } from '../operations/work.ts';

/** An earlier content: its entries keep their ids, and its files are not read again. */
export interface Earlier {
  readonly tree: Tree;
  readonly records: ReadonlyMap<string, ContentRecord>;
  /** Empty: it was not read from the repository. */
  readonly files: ManagedFiles;
}

/** The files of a commit that can be imported, by their paths in the directory of the content. */
export async function listFiles(
  work: Work,
  repository: Repository,
  commit: string,
): Promise<{ readonly entries: readonly TreeEntry[]; readonly directory: string }> {
  const { path: directory, missing } = await findContentDirectory(work, repository, commit);
  const listed = await repository.listFiles(commit, directory);
  if (!listed) throw missing();
  const entries = accept(work, listed);
  work.report({ stage: 'config_check', dispatched: entries.length });
  return { entries, directory };
}

/** Stores the files of a commit, unless the earlier content has them. */
export async function loadFiles(
  { ctx, log, report, signal }: Work,
  repository: Repository,
  entries: readonly TreeEntry[],
  storeId: string,
  earlier: Earlier,
): Promise<StoredFolder> {
  for (const { path } of entries)
    if (isSiteConfiguration(path))
      log.warn('Kept as a file: the site that it describes is not changed', path);
  const stored = storedFiles(earlier);
  const read = (some: readonly TreeEntry[]) => repository.readBlobs(some.map(({ oid }) => oid));
  return storeFolder(
    ctx,
    storeId,
    { entries, read },
    {
      warn: (path, message, line) => log.warn(message, path, line),
      previous: earlier.tree,
      storedAs: ({ oid }) => stored.get(oid),
      analysisOf: (entry) => knownAnalysis(ctx, earlier, entry),
      report(completed) {
        report({ completed });
        signal.throwIfAborted();
      },
    },
  );
}

/** Unchanged pages are not parsed, if their links are cached. Their sections are indexed already. */
function knownAnalysis(
  ctx: Work['ctx'],
  { files, records }: Earlier,
  { path, oid }: TreeEntry,
): BodyAnalysis | undefined {
  const record = files.get(path) === oid ? records.get(path) : undefined;
  const facts = record && 'document' in record ? cachedFacts(ctx, record.document) : undefined;
  return facts && { ...facts, sections: [], warnings: [] };
}

/** Regular files only. Everything else stays in the repository as it is. */
function accept({ log }: Work, listed: readonly TreeEntry[]): TreeEntry[] {
  const folded = new Map<string, string>();
  return listed.filter(({ path, kind, size, isPathInvalid }) => {
    const problem = isPathInvalid
      ? 'The path is not UTF-8: skipped'
      : kind === 'link'
        ? 'Symbolic link: skipped'
        : kind === 'submodule'
          ? 'Submodule: skipped'
          : size > MAX_FILE
            ? `Larger than ${MAX_FILE / 1024 / 1024} MB: skipped`
            : undefined;
    if (problem !== undefined) {
      log.warn(problem, path);
      return false;
    }
    const same = folded.get(path.toLowerCase());
    if (same !== undefined) log.warn(`Differs from ${same} only in upper and lower case`, path);
    folded.set(path.toLowerCase(), path);
    return true;
  });
}

/** Files of the earlier content by their object ids: a file that was moved is not read again, either. */
function storedFiles({ records, files }: Earlier): Map<string, StoredFile> {
  const stored = new Map<string, StoredFile>();
  for (const [path, oid] of files) {
    const record = records.get(path);
    if (record?.kind !== 'file') continue;
    const { hash, size, contentType, dimensions } = record;
    stored.set(oid, { hash, size, contentType, ...(dimensions ? { dimensions } : {}) });
  }
  return stored;
}
