import { CONFIGURATION, contentKinds, type FolderFile } from '../../content-engine/folder/index.ts';
import type { Hash } from '../../content-engine/map/index.ts';
import type { ContentRecord, Tree } from '../../content-engine/tree/index.ts';
import type { Repository, TreeEntry } from '../../platform/git/index.ts';
import type { BodyAnalysis } from '../../content-engine/markdown/index.ts';
import {
  batchesOf,
  describeLargeFile,
  MarkdownReader,
  MAX_FILE,
  storeAll,
  storeBytes,
  storeUnlisted,
  type StoredFile,
} from '../content/index.ts';
import { pauseBetweenSlices } from '../../platform/threads/slices.ts';
import { cachedFacts, type Analyses } from '../revisions/index.ts';
import { findContentDirectory, isSiteConfiguration } from './content-directory.ts';
import { GitFailure } from './git-failure.ts';
import type { ManagedFiles } from '../revisions/index.ts';
import type { Work } from './work.ts';

/** An earlier content: its entries keep their ids, and its files are not read again. */
export interface Earlier {
  readonly tree: Tree;
  readonly records: ReadonlyMap<string, ContentRecord>;
  /** Empty: it was not read from the repository. */
  readonly files: ManagedFiles;
}

export interface LoadedFiles {
  readonly files: readonly FolderFile[];
  /** Of the bodies of Markdown files that changed. */
  readonly analyses: Analyses;
}

/** SUMMARY.md with some 40,000 entries. Without its structure, the next export would replace it. */
const MAX_SETTING = 4 * 1024 * 1024;

/** A larger page is stored as a file: parsing it would take minutes. */
const MAX_TEXT = 8 * 1024 * 1024;

const LFS_POINTER = 'version https://git-lfs.github.com/spec/v1';

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

/**
 * The settings of a commit as bytes. Bodies of Markdown files and all other files are stored, unless the earlier content has
 * them.
 */
export async function loadFiles(
  work: Work,
  repository: Repository,
  entries: readonly TreeEntry[],
  storeId: string,
  earlier: Earlier,
): Promise<LoadedFiles> {
  const pause = pauseBetweenSlices();
  const kindOf = await kindsOf(repository, entries);
  for (const { path, size } of entries)
    if (size > MAX_SETTING && kindOf(path) === 'setting')
      throw new GitFailure(
        `${path} is larger than 4 MB. Nothing was imported; split the space into several.`,
      );
  const texts = entries.filter(({ path, size }) => kindOf(path) !== 'file' && size <= MAX_TEXT);
  const readAsText = new Set(texts);
  const others = entries.filter((entry) => !readAsText.has(entry));
  for (const { path } of others)
    if (kindOf(path) !== 'file') work.log.warn('Larger than 8 MB: imported as a file, not as a page', path);
  for (const { path } of others)
    if (isSiteConfiguration(path))
      work.log.warn('Kept as a file: the site that it describes is not changed', path);
  await pause();
  const files = await loadAssets(work, repository, storeId, others, earlier);
  await pause();
  const { ctx, engine, log } = work;
  const warn = (path: string, message: string) => log.warn(message, path);
  const reader = new MarkdownReader({ db: ctx.db, storeId, engine, previous: earlier.tree, warn });
  let index = 0;
  for await (const bytes of repository.readBlobs(texts.map(({ oid }) => oid))) {
    const entry = texts[index++] as TreeEntry;
    const { path } = entry;
    warnOfPointer(work, path, bytes);
    const kind = kindOf(path);
    files.push(
      kind === 'page' || kind === 'include'
        ? ((await reader.read(path, kind, bytes, knownAnalysis(work, earlier, entry))) ??
            (await storeBinary(work, storeId, path, bytes)))
        : { path, bytes },
    );
    if (index % 100 === 0) work.report({ completed: files.length });
  }
  work.report({ completed: files.length });
  return { files, analyses: await reader.finish() };
}

/** Unchanged pages are not parsed, if their links are cached. Their sections are indexed already. */
function knownAnalysis(
  { ctx }: Work,
  { files, records }: Earlier,
  { path, oid }: TreeEntry,
): BodyAnalysis | undefined {
  const record = files.get(path) === oid ? records.get(path) : undefined;
  const facts = record && 'document' in record ? cachedFacts(ctx, record.document) : undefined;
  return facts && { ...facts, sections: [], warnings: [] };
}

/** A Markdown file that is not UTF-8. */
async function storeBinary(
  { ctx, log }: Work,
  storeId: string,
  path: string,
  bytes: Uint8Array,
): Promise<FolderFile> {
  log.warn('Not UTF-8: imported as a file', path);
  return { path, stored: await storeBytes(ctx, storeId, path.slice(path.lastIndexOf('/') + 1), bytes) };
}

/** Stores Markdown files that turned out not to be pages. */
export async function storeOthers(
  { ctx }: Work,
  repository: Repository,
  entries: readonly TreeEntry[],
  storeId: string,
  paths: readonly string[],
): Promise<void> {
  const wanted = new Set(paths);
  const oids = entries.filter(({ path }) => wanted.has(path)).map(({ oid }) => oid);
  await storeUnlisted(ctx, storeId, repository.readBlobs(oids));
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

async function kindsOf(
  repository: Repository,
  entries: readonly TreeEntry[],
): Promise<ReturnType<typeof contentKinds>> {
  const configuration = entries.find(({ path, size }) => path === CONFIGURATION && size <= MAX_TEXT);
  if (!configuration) return contentKinds(undefined);
  for await (const bytes of repository.readBlobs([configuration.oid])) return contentKinds(bytes);
  return contentKinds(undefined);
}

async function loadAssets(
  work: Work,
  repository: Repository,
  storeId: string,
  entries: readonly TreeEntry[],
  earlier: Earlier,
): Promise<FolderFile[]> {
  const stored = storedFiles(earlier);
  const files: FolderFile[] = [];
  const missing: TreeEntry[] = [];
  for (const entry of entries) {
    const known = stored.get(entry.oid);
    if (known) files.push({ path: entry.path, stored: known });
    else missing.push(entry);
  }
  for (const batch of batchesOf(missing)) {
    const contents = new Map<Hash, Uint8Array>();
    let index = 0;
    for await (const bytes of repository.readBlobs(batch.map(({ oid }) => oid))) {
      const { path } = batch[index++] as TreeEntry;
      warnOfPointer(work, path, bytes);
      const described = await describeLargeFile(bytes, path.slice(path.lastIndexOf('/') + 1));
      contents.set(described.hash, bytes);
      files.push({ path, stored: described });
    }
    await storeAll(work.ctx, storeId, contents);
    work.report({ completed: files.length });
    work.signal.throwIfAborted();
  }
  return files;
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

function warnOfPointer({ log }: Work, path: string, bytes: Uint8Array): void {
  if (bytes.length < 1024 && Buffer.from(bytes).toString('latin1').startsWith(LFS_POINTER))
    log.warn('Git LFS pointer: the pointer is imported, not the file that it names', path);
}
