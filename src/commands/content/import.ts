import { statSync, type Stats } from 'node:fs';
import path from 'node:path';
import type { FolderWarning } from '../../content-engine/folder/index.ts';
import { addressesOf } from '../../addresses.ts';
import { readConfig } from '../../config.ts';
import { folderArchive, openArchive, type Archive, type ArchiveKind } from '../../domains/imports/index.ts';
import { publishSpace } from '../../domains/sites/index.ts';
import { findPublication, findSpace, siteUrl } from '../../domains/spaces/index.ts';
import { listFolder } from '../../list-folder.ts';
import type { Database } from '../../platform/database/connection.ts';
import { onInstallation } from '../administer.ts';
import { CommandError, UsageError, type Command, type Output } from '../command.ts';
import { importArchive, type ImportRequest, type ImportResult } from './import-archive.ts';
import { createProgressBar } from './progress.ts';
import { stopRequested } from '../signals.ts';

/** How an archive is read, by `--source`. */
const SOURCES: Readonly<Record<string, ArchiveKind>> = {
  zip: 'markdown',
  markdown: 'markdown',
  html: 'html',
  docx: 'markdown',
  confluence: 'confluence',
  'github-wiki': 'github-wiki',
  notion: 'notion',
  'google-docs': 'google-docs',
};
const MODES = new Set(['replace', 'add']);

export const importCommand: Command = {
  name: 'import',
  summary:
    'Import a folder, a ZIP, or a Markdown, HTML or Word file into a space. Prints the id of the space.',
  options: {
    space: 'id of an existing space (default: create a space)',
    org: 'id of the organization for a new space (default: the only organization)',
    title: 'title of a new space (default: name of the folder or file)',
    source: `program that exported it: ${Object.keys(SOURCES).join(', ')} (default: detected)`,
    mode: 'replace or add to the content of the space (default: replace; for a single file: add)',
    page: 'id of the page below which pages are added (with --mode add)',
  },
  flags: { publish: 'show the space to everyone, as a site of its own; prints the address of the site' },
  arguments: ['path'],
  async run(given, output) {
    const request = readRequest(given);
    const abort = new AbortController();
    void stopRequested().then(() => abort.abort(new CommandError('Stopped. Nothing was imported.')));
    const isBar = process.stderr.isTTY === true && !output.json;
    const bar = createProgressBar(process.stderr, { isBar, label: 'Importing' });
    const { archive, ignored, irregular } = await openSource(request);
    try {
      const { imported, url } = await onInstallation(async (db, files) => {
        const imported = await importArchive({ db, files, bar, signal: abort.signal }, request, archive);
        const isPublished = given['publish'] !== undefined;
        return { imported, url: isPublished ? await publishImported(db, imported.spaceId) : undefined };
      });
      bar.clear();
      report(output, imported, url, ignored, irregular);
    } finally {
      bar.clear();
      await archive.close();
    }
  },
};

interface Request extends ImportRequest {
  readonly from: string;
  readonly stats: Stats;
}

function readRequest({
  path: from = '',
  source,
  mode,
  page,
  space,
  org,
  title,
}: Readonly<Record<string, string | undefined>>): Request {
  const kind = source === undefined ? undefined : SOURCES[source];
  if (source !== undefined && (kind === undefined || !Object.hasOwn(SOURCES, source)))
    throw new UsageError(`--source must be one of ${Object.keys(SOURCES).join(', ')}.`);
  if (mode !== undefined && !MODES.has(mode)) throw new UsageError('--mode must be replace or add.');
  const stats = statSync(from, { throwIfNoEntry: false });
  if (!stats?.isDirectory() && !stats?.isFile())
    throw new CommandError(`There is no file or folder ${from}.`);
  const isSingle = stats.isFile() && !/\.zip$/i.test(from);
  const chosen = mode ?? (isSingle || page !== undefined ? 'add' : 'replace');
  if (space === undefined && (mode === 'add' || page !== undefined))
    throw new UsageError('--mode add and --page need --space.');
  if (page !== undefined && chosen !== 'add') throw new UsageError('--page needs --mode add.');
  const name = path.basename(path.resolve(from));
  return {
    from,
    stats,
    kind,
    mode: space === undefined ? 'replace' : chosen,
    space,
    page,
    org,
    title: title ?? (stats.isFile() ? name.replace(/\.[^.]+$/, '') || name : name),
  };
}

/** Archives of the operator may be larger than those that users upload. */
const LIMITS = { entries: 1_000_000, bytes: 4 * 1024 ** 3 };

interface Source {
  readonly archive: Archive;
  readonly ignored: readonly string[];
  readonly irregular: readonly FolderWarning[];
}

async function openSource({ from, stats }: Request): Promise<Source> {
  if (!stats.isDirectory()) {
    const file = { name: path.basename(from), path: from, size: stats.size };
    const archive = await openArchive([file], LIMITS);
    return { archive, ignored: archive.ignored, irregular: [] };
  }
  const { files, ignored, irregular } = listFolder(from);
  return {
    archive: folderArchive(files),
    ignored,
    irregular: irregular.map((file) => ({ path: file, message: 'Skipped: not a regular file' })),
  };
}

function report(
  output: Output,
  { spaceId, pages, files, warnings, skipped, skippedCount }: ImportResult,
  url: string | undefined,
  ignored: readonly string[],
  irregular: readonly FolderWarning[],
): void {
  const reported = [...irregular, ...warnings];
  for (const { path: file, line, message } of reported)
    output.note(`${file}${line === undefined ? '' : `:${line}`}: ${message}`);
  for (const { source, reason } of skipped) output.note(`${source}: Skipped: ${reason}`);
  if (skippedCount > skipped.length) output.note(`Skipped: ${skippedCount - skipped.length} more`);
  if (ignored.length > 0) output.note(`Ignored: ${ignored.length} (${ignoredNames(ignored)})`);
  const counts = { pages, files, leftOut: ignored.length + irregular.length + skippedCount };
  output.result(
    { space: spaceId, ...(url && { url }), ...counts, warnings: reported, skipped },
    url ?? spaceId,
  );
}

/** Distinct names: many folders may contain the same one. */
const ignoredNames = (paths: readonly string[]): string =>
  [...new Set(paths.map((each) => path.posix.basename(each)))].join(', ');

/** The address at which a site shows the space. Where no site does, one is created, for everyone. */
const publishImported = (connected: Database, spaceId: string): Promise<string> =>
  connected.transaction().execute(async (db) => {
    const space = await findSpace(db, spaceId);
    if (!space) throw new CommandError(`The space ${spaceId} was deleted meanwhile.`);
    if (!(await findPublication(db, spaceId)))
      await publishSpace(db, { organizationId: space.organization_id, spaceId, title: space.title });
    const shown = await findPublication(db, spaceId);
    if (!shown) throw new CommandError(`The space ${spaceId} was removed from its site meanwhile.`);
    return siteUrl(addressesOf(readConfig()), shown, shown.segments);
  });
