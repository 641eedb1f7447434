import { isUtf8 } from 'node:buffer';
import { normalize } from '../../../../content-engine/normalize.ts';
import type { ConvertedPage, ConvertInput, ConvertOutcome } from '../../../../content-engine/html/index.ts';
import { decode } from '../../../../content-engine/links/index.ts';
import { ZipError } from '../../../../platform/zip/index.ts';
import type { ImportCollector, ImportWork } from '../../folder/imported-folder.ts';
import { MAX_HTML } from '../../limits.ts';
import { ARCHIVE_HOST } from '../../folder/relink.ts';
import type { Archive, ArchiveEntry } from './archive.ts';

/** What the readers of archives are given. They return the outline, if the archive has one. */
export interface ArchiveJob {
  readonly work: ImportWork;
  readonly collector: ImportCollector;
  readonly archive: Archive;
}

/** Entries have URLs, so that links between them are resolved as on a website. The domain is reserved: it never exists. */
const ARCHIVE = `http://${ARCHIVE_HOST}/`;

export const urlOf = (path: string): string => ARCHIVE + path.split('/').map(encodeURIComponent).join('/');

/** The path of an entry by its URL, whatever its percent-encoding, query and fragment are. */
export const entryPathOf = (url: string): string | undefined =>
  url.startsWith(ARCHIVE) ? normalize(decode(url.slice(ARCHIVE.length).replace(/[?#].*/s, ''))) : undefined;

/** The identity of URLs for the collector of an archive. */
export const archiveIdentity = (url: string): string => {
  const path = entryPathOf(url);
  return path === undefined ? url.replace(/#.*/s, '') : ARCHIVE + path;
};

export interface ArchivePage extends Omit<ConvertInput, 'bytes' | 'url'> {
  readonly entry: ArchiveEntry;
  /** The path in the imported folder. */
  readonly path: string;
  /** URLs, besides that of the entry. */
  readonly aliases?: readonly string[];
  /** Changes the text before it is converted. */
  readonly edit?: (text: string) => string;
}

/** Converted together: a thread is started once for all of them. */
const BATCH_PAGES = 16;
const BATCH_BYTES = 1024 * 1024;

/**
 * Converts pages in batches and adds them in order. The next batch is read during a conversion. `each` is called for
 * those that were converted.
 */
export async function addPages(
  { work, collector }: Pick<ArchiveJob, 'work' | 'collector'>,
  pages: readonly ArchivePage[],
  each?: (page: ArchivePage, converted: ConvertedPage) => void,
): Promise<void> {
  for (const { entry } of pages) collector.found(entry.path);
  let reason: string | undefined;
  const addOne = (
    { page }: ReadPage,
    outcome: ConvertOutcome = { failure: 'it was not converted' },
  ): void => {
    if ('failure' in outcome) return collector.skip(page.entry.path, outcome.failure);
    const { redirect } = outcome.page;
    if (redirect !== undefined)
      return collector.skip(page.entry.path, `redirects to ${entryPathOf(redirect) ?? redirect}`);
    const aliases = [urlOf(page.entry.path), ...(page.aliases ?? [])];
    if (collector.addPage(page.path, page.entry.path, outcome.page, aliases)) each?.(page, outcome.page);
    else reason = 'a limit of the import is reached';
  };
  const addBatch = async (read: readonly ReadPage[], before: Promise<void>): Promise<void> => {
    const [outcomes] = await Promise.all([work.convert(read.map(({ input }) => input)), before]);
    for (const [index, one] of read.entries()) addOne(one, outcomes[index]);
  };
  let added: Promise<void> = Promise.resolve();
  for (const batch of batchesOf(pages)) {
    work.signal.throwIfAborted();
    if (performance.now() > work.deadline.pagesUntil) reason ??= 'time limit';
    if (reason !== undefined) {
      for (const { entry } of batch) collector.skip(entry.path, reason);
      continue;
    }
    const read = await readBatch(collector, batch);
    const before = added;
    added = addBatch(read, before);
    // A failure is thrown by one of the two awaits, whichever comes first.
    added.catch(() => undefined);
    await before;
  }
  await added;
}

interface ReadPage {
  readonly page: ArchivePage;
  readonly input: ConvertInput;
}

/** Entries are read concurrently: each needs several reads of the disk, and a batch is small. */
async function readBatch(collector: ImportCollector, batch: readonly ArchivePage[]): Promise<ReadPage[]> {
  const contents = await Promise.all(batch.map(({ entry }) => readEntry(entry, MAX_HTML)));
  const read: ReadPage[] = [];
  for (const [index, page] of batch.entries()) {
    const { entry, kind, generator, hasProperties, edit } = page;
    const bytes = contents[index] ?? 'it was not read';
    if (typeof bytes === 'string') {
      collector.skip(entry.path, bytes);
      continue;
    }
    const input = { kind, generator, hasProperties, url: urlOf(entry.path) };
    read.push({ page, input: { ...input, bytes: edit ? edited(bytes, edit) : bytes } });
  }
  return read;
}

/** Only UTF-8: the charset of other pages is found by the conversion. */
function edited(bytes: Uint8Array, edit: NonNullable<ArchivePage['edit']>): Uint8Array {
  if (!isUtf8(bytes)) return bytes;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  return Buffer.from(edit(text));
}

/** The bytes of an entry, or the reason why they are not read: an archive of a megabyte may contain a gigabyte. */
export const readEntry = async (entry: ArchiveEntry, maxBytes: number): Promise<Uint8Array | string> =>
  entry.size > maxBytes
    ? `the file exceeds ${Math.floor(maxBytes / 1024 / 1024)} MB`
    : entry.read().catch(unreadable);

/** The reason why an entry cannot be read. Other errors are not about the entry. */
export function unreadable(error: unknown): string {
  if (error instanceof ZipError) return error.message;
  throw error;
}

function* batchesOf(pages: readonly ArchivePage[]): Iterable<readonly ArchivePage[]> {
  let [batch, bytes]: [ArchivePage[], number] = [[], 0];
  for (const page of pages) {
    if (batch.length > 0 && (batch.length === BATCH_PAGES || bytes + page.entry.size > BATCH_BYTES)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(page);
    bytes += page.entry.size;
  }
  if (batch.length > 0) yield batch;
}

export interface ArchiveFile {
  readonly entry: ArchiveEntry;
  readonly path: string;
}

/** Files that are in memory at the same time. */
const CONCURRENT_FILES = 4;

export async function addFiles(
  { work, collector }: Pick<ArchiveJob, 'work' | 'collector'>,
  files: readonly ArchiveFile[],
): Promise<void> {
  for (const { entry } of files) collector.found(entry.path);
  const left = files.values();
  let reason: string | undefined;
  const addNext = async () => {
    for (const { entry, path } of left) {
      work.signal.throwIfAborted();
      if (performance.now() > work.deadline.filesUntil) reason ??= 'time limit';
      const bytes = reason ?? (await readEntry(entry, work.limits.fileBytes));
      if (typeof bytes === 'string') collector.skip(entry.path, bytes);
      else if (!(await collector.addFile(path, entry.path, bytes, [urlOf(entry.path)])))
        reason = 'a limit of the import is reached';
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_FILES }, addNext));
}

/** Collects the entries that pages refer to: stylesheets and scripts of an export are no content. */
export class Referenced {
  readonly #paths = new Set<string>();

  add({ images, links }: ConvertedPage): void {
    for (const url of [...images, ...links]) {
      const path = entryPathOf(url);
      if (path !== undefined) this.#paths.add(path);
    }
  }

  has = ({ path }: ArchiveEntry): boolean => this.#paths.has(normalize(path));
}
