import { CONFIGURATION, MAX_ITEMS, readFolderInSteps } from '../../content-engine/folder/index.ts';
import { buildTreeInSteps, isPage } from '../../content-engine/tree/index.ts';
import { newId } from '../../platform/api/ids.ts';
import type { Repository, TreeEntry } from '../../platform/git/index.ts';
import { inSlices, pauseBetweenSlices } from '../../platform/threads/slices.ts';
import { changesTo, describeFile, storeAll } from '../content/index.ts';
import { storeTexts } from '../revisions/index.ts';
import type { CommitContent, ReadContent } from './commit-content.ts';
import { GitFailure, placeOf } from './git-failure.ts';
import { listFiles, loadFiles, storeOthers, type Earlier } from './load-files.ts';
import { readBodies } from './read-bodies.ts';
import { recordsByPath } from './records-by-path.ts';
import type { ManagedFiles } from '../revisions/index.ts';
import type { Work } from './work.ts';

/**
 * Pages, groups and links of a space: 20,000 pages with as many groups and links. None is left out, because the next export
 * would delete its line from SUMMARY.md.
 */
const MAX_ENTRIES = 40_000;

/** Reads the content of a commit. Holds no lock, and the event loop only for moments. */
export async function readCommit(
  work: Work,
  repository: Repository,
  commit: string,
  storeId: string,
  base: Pick<Earlier, 'tree' | 'files'>,
): Promise<CommitContent> {
  const { entries, directory: contentDirectory } = await listFiles(work, repository, commit);
  const files = new Map(entries.map(({ path, oid }) => [path, oid]));
  const earlier = { ...base, records: await recordsByPath(base.tree) };
  const pause = pauseBetweenSlices();
  logChanges(work, earlier.files, files);
  await pause();
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
  const { files, analyses } = await loadFiles(work, repository, entries, storeId, earlier);
  work.report({ stage: 'content_process' });
  const read = await inSlices(
    readFolderInSteps(files, {
      newId,
      now: ctx.now().getTime(),
      previous: earlier.tree,
      describe: describeFile,
      maxEntries: MAX_ENTRIES,
    }),
  );
  if (read.isSummaryTooLong)
    throw new GitFailure(`SUMMARY.md has more than ${MAX_ITEMS} entries. Nothing was imported.`);
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
  await storeTexts(ctx.db, storeId, read.texts);
  await storeAll(ctx, storeId, read.files);
  await storeOthers(work, repository, entries, storeId, read.unlisted);
  const tree = await inSlices(buildTreeInSteps(read.records));
  return { changed: changesTo(earlier.tree, read.records), tree, analyses };
}
