import type { FolderWarning, OutlineRow } from '../../../content-engine/folder/index.ts';
import { isPage, type ContentRecord } from '../../../content-engine/tree/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { readRecords } from '../../content/index.ts';
import type { Analyses } from '../../content-store/index.ts';
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

/** Reads the records of a folder and stores its texts. Holds no lock. */
export async function prepareFolder(
  ctx: Pick<Context, 'db' | 'files' | 'now'>,
  { storeId, pageId }: FolderTarget,
  folder: ImportedFolder,
): Promise<PreparedImport> {
  const { files, analyses, outline, maxEntries } = folder;
  const read = await readRecords(
    ctx,
    storeId,
    { files },
    {
      analysisOf: (path) => analyses.get(path),
      groupsAsPages: pageId !== undefined,
      maxEntries,
      ...(outline && { outline }),
    },
  );
  if (!read.records.some(isPage)) throw noPages(folder);
  const { sources, imported } = folder;
  const unlisted = entriesWithoutPage(read.warnings, folder.skipped);
  const beyond = read.beyondLimit.map((row) => beyondLimit(row, folder));
  const notImported = read.beyondLimit.filter((row) => row.type === 'document').length;
  return {
    storeId,
    records: read.records,
    analyses: read.analyses,
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
    .map(({ path, line, message }) => ({
      source: line === undefined ? path : `${path}, line ${line}`,
      reason: message,
    }));
}
