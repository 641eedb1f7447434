import {
  MAX_ITEMS,
  readFolderInSteps,
  splitPage,
  type FolderWarning,
  type OutlineRow,
} from '../../content-engine/folder/index.ts';
import { analyseBody, bodyAnalysisOf, type BodyAnalysis } from '../../content-engine/markdown/index.ts';
import { sizeOfText } from '../../content-engine/size-of-text.ts';
import { isPage, type ContentRecord } from '../../content-engine/tree/index.ts';
import { ApiError, tooLarge } from '../../platform/api/errors.ts';
import { newId } from '../../platform/api/ids.ts';
import type { Context } from '../../platform/api/context.ts';
import { inSlices, pauseBetweenSlices } from '../../platform/threads/slices.ts';
import { describeFile, storeAll } from '../content/index.ts';
import {
  CollectedAnalyses,
  isLarge,
  storeTexts,
  type Analyses,
  type Engine,
  type Work,
} from '../revisions/index.ts';
import { noPages, type ImportedFolder, type Skipped } from './imported-folder.ts';

/** An import whose files and texts are stored: all that is left is to add its records to a revision. */
export interface PreparedImport {
  readonly storeId: string;
  readonly records: readonly ContentRecord[];
  readonly analyses: Analyses;
  /** URL or path of the original, by path of the folder. */
  readonly sources: ReadonlyMap<string, string>;
  readonly found: number;
  readonly imported: number;
  readonly skipped: readonly Skipped[];
  readonly skippedCount: number;
}

export interface FolderTarget {
  readonly storeId: string;
  /** The page below which it is added. */
  readonly pageId?: string | undefined;
}

/** Reads the records of a folder and stores its texts. Holds no lock, and the event loop only for moments. */
export async function prepareFolder(
  ctx: Pick<Context, 'db' | 'files' | 'now'>,
  engine: Engine,
  { storeId, pageId }: FolderTarget,
  folder: ImportedFolder,
): Promise<PreparedImport> {
  const analyses = await analysePages(engine, folder);
  const byDocument = new CollectedAnalyses();
  const read = await inSlices(
    readFolderInSteps(folder.files, {
      newId,
      now: ctx.now().getTime(),
      describe: describeFile,
      each: (document, analysis) => byDocument.add(document, analysis),
      analysisOf: (path) => analyses.get(path),
      groupsAsPages: pageId !== undefined,
      maxEntries: folder.maxEntries,
      ...(folder.outline && { outline: folder.outline }),
    }),
  );
  if (read.isSummaryTooLong) throw tooLarge(`SUMMARY.md has more than ${MAX_ITEMS} entries. Shorten it.`);
  if (!read.records.some(isPage)) throw noPages(folder);
  await storeAll(ctx, storeId, read.files);
  await storeTexts(ctx.db, storeId, read.texts);
  const { sources, imported } = folder;
  const unlisted = entriesWithoutPage(read.warnings, folder.skipped);
  const beyond = read.beyondLimit.map((row) => beyondLimit(row, folder));
  const notImported = read.beyondLimit.filter((row) => row.type === 'document').length;
  return {
    storeId,
    records: read.records,
    analyses: byDocument,
    sources,
    found: folder.found + unlisted.length + beyond.length - notImported,
    imported: imported - notImported,
    skipped: [...folder.skipped, ...beyond, ...unlisted],
    skippedCount: folder.skippedCount + unlisted.length + beyond.length,
  };
}

/** Documents are named by their source, groups and links by their title. */
function beyondLimit(row: OutlineRow, { sources, maxEntries }: ImportedFolder): Skipped {
  const source = row.type === 'document' ? (sources.get(row.path) ?? row.path) : row.title;
  return { source, reason: `limit of ${maxEntries} entries` };
}

/** Entries of SUMMARY.md that became no page. Files that were skipped are listed by themselves, with the reason. */
function entriesWithoutPage(warnings: readonly FolderWarning[], skipped: readonly Skipped[]): Skipped[] {
  const sources = new Set(skipped.map(({ source }) => source));
  return warnings
    .filter(({ isEntry, file }) => isEntry && !(file !== undefined && sources.has(file)))
    .map(({ path, line, message }) => ({ source: `${path}, line ${line}`, reason: message }));
}

/** Analyses by path. Large pages are parsed in a thread; one that exceeds its limits is imported without being searchable. */
async function analysePages(
  engine: Engine,
  { files, analyses }: ImportedFolder,
): Promise<ReadonlyMap<string, BodyAnalysis>> {
  const found = new Map<string, BodyAnalysis>();
  for (const [path, analysis] of analyses) found.set(path, bodyAnalysisOf(analysis));
  const pause = pauseBetweenSlices();
  for (const file of files) {
    if (!('bytes' in file) || !/\.md$/i.test(file.path) || found.has(file.path)) continue;
    await pause();
    const { body } = splitPage(Buffer.from(file.bytes).toString('utf8'));
    const work = { size: sizeOfText(body), what: file.path };
    if (isLarge(work.size)) found.set(file.path, await analysisOf(engine, body, work));
  }
  return found;
}

async function analysisOf(engine: Engine, body: string, work: Work): Promise<BodyAnalysis> {
  try {
    return await engine.run('analyseBody', body, work);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 413)) throw error;
    return analyseBody('');
  }
}
