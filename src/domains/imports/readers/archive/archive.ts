import { readFile } from 'node:fs/promises';
import { safeName } from '../../../../platform/files/index.ts';
import { readStart } from '../../../../platform/read-start.ts';
import { spool, type Spool } from '../../../../platform/spool.ts';
import { openZip, type Zip, type ZipLimits } from '../../../../platform/zip/index.ts';
import type { ReadableEntry } from '../../../content/index.ts';
import type { Skipped } from '../../folder/imported-folder.ts';

export interface ArchiveEntry extends ReadableEntry {
  /** Where its bytes are on the disk, if they are a file of their own. */
  readonly file?: string;
}

/** Files by path: of a folder, of a ZIP, or of several files that were sent together. */
export interface Archive {
  readonly entries: readonly ArchiveEntry[];
  readonly skipped: readonly Skipped[];
  /** Paths of files that operating systems and version control add. Imports of users do not count them. */
  readonly ignored: readonly string[];
  close(): Promise<void>;
}

/** A file on the disk under the name that the user gave it. */
export interface FileOnDisk {
  readonly name: string;
  readonly path: string;
  readonly size: number;
}

const CLUTTER = /(?:^|\/)(?:__MACOSX|\.git)\/|(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/;

const isWordDocument = ({ entries }: Zip): boolean =>
  entries.some(({ path }) => path === WORD_DOCUMENT) && entries.some(({ path }) => path === CONTENT_TYPES);

export const WORD_DOCUMENT = 'word/document.xml';
export const CONTENT_TYPES = '[Content_Types].xml';

/**
 * Opens files together, as one archive. If all are ZIP files, they are parts of one folder; otherwise the files of each
 * ZIP are in a folder with its name. Word documents are ZIP files, and entries here. Throws `ZipError`.
 */
export async function openArchive(files: readonly FileOnDisk[], limits: ZipLimits): Promise<Archive> {
  const budget = { entries: limits.entries, bytes: limits.bytes };
  const opened: OpenedFile[] = [];
  const close = async () => {
    for (const { zips, spools } of opened) {
      for (const zip of zips) zip.close();
      for (const each of spools) await each.dispose();
    }
  };
  try {
    for (const file of files) opened.push(await openFile(file, budget));
    const areParts = opened.every(({ zips }) => zips.length > 0);
    const entries = opened.flatMap(({ name, zips, entries }) => {
      const folder = areParts || zips.length === 0 ? '' : `${name.replace(/\.zip$/i, '')}/`;
      return entries.map((entry) => ({ ...entry, path: folder + entry.path }));
    });
    const skipped = opened.flatMap((each) => each.skipped);
    const ignored = opened.flatMap((each) => each.ignored);
    return { entries: areParts ? withoutTopFolder(entries) : entries, skipped, ignored, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export const folderArchive = (entries: readonly ReadableEntry[]): Archive => ({
  entries,
  skipped: [],
  ignored: [],
  close: () => Promise.resolve(),
});

interface OpenedFile {
  readonly name: string;
  readonly zips: readonly Zip[];
  readonly spools: readonly Spool[];
  readonly entries: readonly ArchiveEntry[];
  readonly skipped: readonly Skipped[];
  readonly ignored: readonly string[];
}

interface Budget {
  entries: number;
  bytes: number;
}

async function openFile({ name: given, path, size }: FileOnDisk, budget: Budget): Promise<OpenedFile> {
  const name = safeName(given);
  const alone = (as: string): OpenedFile => ({
    name,
    zips: [],
    spools: [],
    entries: [{ path: as, size, file: path, read: () => readFile(path) }],
    skipped: [],
    ignored: [],
  });
  if (!(await beginsAsZip(path)) && !/\.zip$/i.test(name)) return alone(name);
  const zip = await openZip(path, budget);
  if (isWordDocument(zip)) {
    zip.close();
    return alone(`${name.replace(/(?:\.docx)?(?:\.zip)?$/i, '')}.docx`);
  }
  spend(budget, zip);
  return openNested(name, zip, budget);
}

function spend(budget: Budget, { entries }: Zip): void {
  budget.entries -= entries.length;
  budget.bytes -= entries.reduce((sum, { size }) => sum + size, 0);
}

/** Some services export a ZIP that contains only the parts of the export, as ZIP files. They are opened one level deep. */
async function openNested(name: string, outer: Zip, budget: Budget): Promise<OpenedFile> {
  const { files, ignored } = withoutClutter(outer.entries);
  if (files.length === 0 || !files.every(({ path }) => /\.zip$/i.test(path)))
    return { name, zips: [outer], spools: [], entries: files, skipped: toSkipped(outer), ignored };
  const zips = [outer];
  const spools: Spool[] = [];
  try {
    for (const part of files) {
      const spooled = await spool(await part.stream(), part.size);
      spools.push(spooled);
      const zip = await openZip(spooled.path, budget);
      zips.push(zip);
      spend(budget, zip);
    }
  } catch (error) {
    for (const zip of zips) zip.close();
    for (const each of spools) await each.dispose();
    throw error;
  }
  const parts = zips.slice(1);
  const inner = withoutClutter(parts.flatMap((zip) => zip.entries));
  const skipped = parts.flatMap(toSkipped);
  return { name, zips, spools, entries: inner.files, skipped, ignored: [...ignored, ...inner.ignored] };
}

function withoutClutter<Entry extends ArchiveEntry>(entries: readonly Entry[]) {
  const files = entries.filter(({ path }) => !CLUTTER.test(path));
  const ignored = entries.filter(({ path }) => CLUTTER.test(path)).map(({ path }) => path);
  return { files, ignored };
}

const toSkipped = ({ skipped }: Zip): Skipped[] =>
  skipped.map(({ path, reason }) => ({ source: path, reason }));

/** The folder that programs put around everything is no part of the content. */
function withoutTopFolder(entries: readonly ArchiveEntry[]): readonly ArchiveEntry[] {
  const top = /^[^./][^/]*\//.exec(entries[0]?.path ?? '')?.[0];
  if (top === undefined || !entries.every(({ path }) => path.startsWith(top))) return entries;
  return entries.map((entry) => ({ ...entry, path: entry.path.slice(top.length) }));
}

/** The signature of an entry, or of the end of an empty archive. */
export const beginsAsZip = async (path: string): Promise<boolean> =>
  ['504b0304', '504b0506'].includes((await readStart(path, 4)).toString('hex'));
