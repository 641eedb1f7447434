import { CONFIGURATION } from '../../../content-engine/folder/index.ts';
import { buildTree, isPage } from '../../../content-engine/tree/index.ts';
import type { Repository, TreeEntry } from '../../../platform/git/index.ts';
import { changesTo, readRecords } from '../../content/index.ts';
import { loaderOf } from '../../content-store/index.ts';
import type { CommitContent, ReadContent } from './commit-content.ts';
import { findMoved } from './find-moved.ts';
import { GitFailure, placeOf } from '../operations/git-failure.ts';
import { listFiles, loadFiles, type Earlier } from './load-files.ts';
import { readBodies } from './read-bodies.ts';
import { recordsByPath } from '../records-by-path.ts';
import type { ManagedFiles } from '../../revisions/index.ts';
import type { Work } from '../operations/work.ts';

/**
 * Pages, groups and links of a space: 20,000 pages with as many groups and links. None is left out, because the next export
 * would delete its line from SUMMARY.md.
 */
const MAX_ENTRIES = 40_000;

/** Reads the content of a commit. Holds no lock. */
export async function readCommit(
  work: Work,
  repository: Repository,
  commit: string,
  storeId: string,
  base: Pick<Earlier, 'tree' | 'files'>,
): Promise<CommitContent> {
  const { entries, directory: contentDirectory } = await listFiles(work, repository, commit);
  const files = new Map(entries.map(({ path, oid }) => [path, oid]));
  const earlier = { ...base, records: recordsByPath(base.tree) };
  logChanges(work, earlier.files, files);
  const content =
    (await readBodies(work, repository, entries, storeId, earlier)) ??
    (await readWhole(work, repository, entries, storeId, earlier));
  return { ...content, files, contentDirectory };
}

function logChanges({ log }: Work, before: ManagedFiles, now: ManagedFiles): void {
  for (const [path, oid] of now)
    if (before.get(path) !== oid) log.info(before.has(path) ? 'Changed' : 'Added', path);
  for (const path of before.keys()) if (!now.has(path)) log.info('Deleted', path);
}

async function readWhole(
  work: Work,
  repository: Repository,
  entries: readonly TreeEntry[],
  storeId: string,
  earlier: Earlier,
): Promise<ReadContent> {
  const { ctx, log } = work;
  const stored = await loadFiles(work, repository, entries, storeId, earlier);
  work.report({ stage: 'content_process' });
  const moved = await findMoved(loaderOf(ctx, storeId), earlier, entries, stored.files);
  for (const [to, from] of moved) log.info(`Moved from ${from}`, to);
  const read = await readRecords(ctx, storeId, stored, {
    previous: earlier.tree,
    moved,
    maxEntries: MAX_ENTRIES,
  });
  for (const { path, message, line, file } of read.warnings) {
    // A file that it names may be missing: the rest of the structure is as it says.
    if (path === CONFIGURATION && file === undefined)
      throw new GitFailure(`${placeOf(CONFIGURATION, line)}: ${message}. Nothing was imported.`);
    log.warn(message, path, line);
  }
  if (read.beyondLimit.length > 0)
    throw new GitFailure(
      `The space would have ${MAX_ENTRIES + read.beyondLimit.length} pages, groups and links; the limit is ${MAX_ENTRIES}. ` +
        'Nothing was imported; split the space into several.',
    );
  if (!read.records.some(isPage)) {
    throw new GitFailure('The directory contains no Markdown page. Nothing was imported.');
  }
  const tree = buildTree(read.records);
  return { changed: changesTo(earlier.tree, read.records), tree, analyses: read.analyses };
}
