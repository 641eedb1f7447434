import { isPagePath, type FolderWarning } from '../../content-engine/folder/index.ts';
import { importFiles, importFolder, storeBytes, type ImportTarget } from '../../domains/content/index.ts';
import {
  addImported,
  kindOf,
  readArchive,
  type Archive,
  type ArchiveKind,
  type ImportedFolder,
  type ImportWork,
  type Skipped,
} from '../../domains/imports/index.ts';
import { listAllOrganizations } from '../../domains/organizations/index.ts';
import { createStorageCaches } from '../../domains/content-store/index.ts';
import { findPrimary } from '../../domains/revisions/index.ts';
import { createSpaceIn, findSpace } from '../../domains/spaces/index.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { Files } from '../../platform/files/index.ts';
import { createOutbound } from '../../platform/outbound/index.ts';
import { tasks } from '../../tasks.ts';
import { CommandError } from '../command.ts';
import type { ProgressBar } from './progress.ts';

export interface ImportRequest {
  /** Default: detected. */
  readonly kind: ArchiveKind | undefined;
  readonly mode: string;
  /** Default: a new space, in `org` with `title`. */
  readonly space: string | undefined;
  readonly page: string | undefined;
  readonly org: string | undefined;
  readonly title: string;
}

export interface ImportRun {
  readonly db: Database;
  readonly files: Files;
  readonly bar: ProgressBar;
  readonly signal: AbortSignal;
}

export interface ImportResult {
  readonly spaceId: string;
  readonly pages: number;
  readonly files: number;
  readonly warnings: readonly FolderWarning[];
  readonly skipped: readonly Skipped[];
  readonly skippedCount: number;
}

/** Imports an archive into a space. A folder of Markdown is imported unchanged; others are converted. */
export async function importArchive(
  run: ImportRun,
  request: ImportRequest,
  archive: Archive,
): Promise<ImportResult> {
  const { db, files, signal } = run;
  const ctx = { db, isFront: false, files, signal, caches: createStorageCaches(), now: () => new Date() };
  const { space, page: pageId } = request;
  const target = space ? await existing(db, space) : await newSpace(db, request.org, request.title);
  const paths = archive.entries.map(({ path }) => path);
  const kind = request.kind ?? kindOf(paths);
  const isUnchanged = kind === 'markdown' && !request.kind && (paths.length === 0 || paths.some(isPagePath));
  if (request.mode === 'add' && space !== undefined) {
    const { store_id: storeId } = await findPrimary(db, space);
    const folder = await readArchive(workOf(run, storeId), archive, kind);
    run.signal.throwIfAborted();
    const added = await addImported(ctx, { spaceId: space, pageId }, undefined, folder);
    const { pages, imported, skippedList, skipped } = added;
    const counts = { pages: pages.length, files: imported, skipped: skippedList, skippedCount: skipped };
    return { spaceId: space, ...counts, warnings: [] };
  }
  if (isUnchanged) {
    const entries = watched(run, archive);
    const imported = await importFolder(ctx, target, undefined, entries);
    const { skipped } = archive;
    return { ...imported, files: entries.length, skipped, skippedCount: skipped.length };
  }
  let counts: Omit<ImportResult, 'spaceId' | 'pages' | 'warnings'> = {
    files: 0,
    skipped: [],
    skippedCount: 0,
  };
  const imported = await importFiles(ctx, target, undefined, async (storeId) => {
    const folder = await readArchive(workOf(run, storeId), archive, kind);
    run.signal.throwIfAborted();
    counts = countsOf(folder);
    const { files, analyses, outline } = folder;
    return { files, analysisOf: (file) => analyses.get(file), ...(outline && { outline }) };
  });
  return { ...counts, ...imported };
}

/** The entries, each shown by the bar when it is read. */
function watched({ bar, signal }: ImportRun, { entries }: Archive): Archive['entries'] {
  const done = new Set<string>();
  return entries.map((entry) => ({
    ...entry,
    read: () => {
      signal.throwIfAborted();
      done.add(entry.path);
      bar.update({ done: done.size, total: entries.length, current: entry.path });
      return entry.read();
    },
  }));
}

/** Nothing is requested from other servers, and the process has nothing else to do than to convert pages. */
const workOf = ({ db, files, bar, signal }: ImportRun, storeId: string): ImportWork => ({
  outbound: createOutbound({ allow: [], ownAddresses: [] }),
  convert: async (inputs) => tasks.convertPages(inputs),
  convertDocx: tasks.convertDocx,
  storeFile: (name, bytes) => storeBytes({ db, files }, storeId, name, bytes),
  limits: {
    pages: Infinity,
    textBytes: Infinity,
    files: Infinity,
    fileBytes: 100 * 1024 * 1024,
    filesBytes: Infinity,
    listed: Infinity,
  },
  deadline: { pagesUntil: Infinity, filesUntil: Infinity },
  signal,
  report: ({ found, imported, skipped, current }) =>
    bar.update({ done: imported + skipped, total: found, ...(current !== undefined && { current }) }),
});

const countsOf = ({ analyses, imported, skipped, skippedCount }: ImportedFolder) => ({
  pages: analyses.size,
  files: imported,
  skipped,
  skippedCount,
});

async function existing(db: Database, spaceId: string): Promise<ImportTarget> {
  if (!(await findSpace(db, spaceId))) throw new CommandError(`There is no space ${spaceId}.`);
  return { spaceId };
}

async function newSpace(db: Database, org: string | undefined, title: string): Promise<ImportTarget> {
  const all = await listAllOrganizations(db);
  const [only, another] = org === undefined ? all : all.filter(({ id }) => id === org);
  if (!only)
    throw new CommandError(org ? `There is no organization ${org}.` : 'There is no organization yet.');
  if (another) throw new CommandError('There are several organizations. Choose one with --org.');
  const settings = { title: [...title].slice(0, 50).join('') };
  return {
    organizationId: only.id,
    create: (transaction) => createSpaceIn(transaction, only.id, settings, undefined),
  };
}
