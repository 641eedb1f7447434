import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { readStart } from '../read-start.ts';
import { entryName, safePath } from './entry-path.ts';
import { damaged, encrypted, notZip, tooLarge, unsafePath, ZipError } from './zip-error.ts';

export interface ZipLimits {
  readonly entries: number;
  /** The inflated size of all entries together. */
  readonly bytes: number;
}

/** A regular file of an archive. */
export interface ZipEntry {
  readonly path: string;
  /** Inflated. Reading never returns more. */
  readonly size: number;
  stream(): Promise<Readable>;
  /** The whole file, checked against its checksum. Throws `ZipError`. */
  read(): Promise<Buffer>;
}

export interface Zip {
  readonly entries: readonly ZipEntry[];
  /** Entries that are no files: symbolic links, and names that occur twice. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  close(): void;
}

const MB = 1024 * 1024;

/** Names, extra fields and comments are held in memory. */
const MAX_DIRECTORY_BYTES = 32 * MB;
/** Deflate reaches 1032:1 with zeros; documents are far below. */
const MAX_RATIO = 1000;
const RATIO_FROM = MB;
const LOCAL_HEADER_BYTES = 30;

const FILE_TYPE = 0o170000;
const SYMLINK = 0o120000;

/**
 * Opens a ZIP of unknown origin. All entries are checked before any is inflated: their number, names, sizes, ratio,
 * encryption, and that they do not overlap. Throws `ZipError`.
 */
export async function openZip(path: string, limits: ZipLimits): Promise<Zip> {
  // Loaded with the first archive: many servers never see one.
  const yauzl = await import('yauzl');
  let file: ZipFile;
  try {
    file = await yauzl.openPromise(path, {
      autoClose: false,
      decodeStrings: false,
      validateEntrySizes: true,
    });
  } catch (error) {
    throw await explainOpening(path, error);
  }
  try {
    if (file.entryCount > limits.entries)
      throw tooLarge(`The ZIP has ${file.entryCount} entries; the limit is ${limits.entries}. Split it.`);
    const listed = await listEntries(file, (entry) => entryName(entry, yauzl.getFileNameLowLevel));
    refuseOverlaps(listed);
    refuseSizes(listed, limits);
    return { ...filesOf(file, listed), close: () => file.close() };
  } catch (error) {
    file.close();
    throw error;
  }
}

async function explainOpening(path: string, error: unknown): Promise<unknown> {
  if (isSystemError(error)) return error;
  return (await readStart(path, 2)).toString('latin1') === 'PK' ? damaged(error) : notZip(error);
}

/** An error of the file system, not of the archive. */
const isSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

interface ListedEntry {
  readonly entry: Entry;
  readonly path: string;
  readonly isFolder: boolean;
}

async function listEntries(file: ZipFile, nameOf: (entry: Entry) => string): Promise<ListedEntry[]> {
  const listed: ListedEntry[] = [];
  let directoryBytes = 0;
  try {
    for await (const entry of file.eachEntry()) {
      const { fileNameLength, extraFieldLength, fileCommentLength } = entry;
      directoryBytes += fileNameLength + extraFieldLength + fileCommentLength;
      if (directoryBytes > MAX_DIRECTORY_BYTES)
        throw tooLarge(`The names of the entries exceed ${MAX_DIRECTORY_BYTES / MB} MB. Split the ZIP.`);
      if (entry.isEncrypted()) throw encrypted();
      const name = nameOf(entry);
      const path = safePath(name);
      if (path === undefined) throw unsafePath(name);
      listed.push({ entry, path, isFolder: name.endsWith('/') });
    }
    return listed;
  } catch (error) {
    if (error instanceof ZipError || isSystemError(error)) throw error;
    throw /encryption/.test((error as Error).message) ? encrypted() : damaged(error);
  }
}

/** Entries that share bytes inflate a small archive to a large one, whatever their ratios are. */
function refuseOverlaps(listed: readonly ListedEntry[]): void {
  let end = 0;
  const byOffset = listed
    .map(({ entry }) => entry)
    .toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
  for (const { relativeOffsetOfLocalHeader: start, compressedSize } of byOffset) {
    if (start < end) throw damaged(new Error('Entries overlap'));
    end = start + LOCAL_HEADER_BYTES + compressedSize;
  }
}

function refuseSizes(listed: readonly ListedEntry[], limits: ZipLimits): void {
  let total = 0;
  for (const { path, entry } of listed) {
    const { uncompressedSize: size, compressedSize } = entry;
    total += size;
    if (total > limits.bytes)
      throw tooLarge(
        `The files of the ZIP exceed ${Math.floor(limits.bytes / MB)} MB when unpacked. Split it.`,
      );
    if (size > RATIO_FROM && size > compressedSize * MAX_RATIO)
      throw tooLarge(`${path} is compressed more than ${MAX_RATIO}:1. Remove it from the ZIP.`);
  }
}

/** Normalising such a name takes quadratic time. */
const MANY_MARKS = /\p{M}{31}/u;

function filesOf(file: ZipFile, listed: readonly ListedEntry[]): Pick<Zip, 'entries' | 'skipped'> {
  const entries: ZipEntry[] = [];
  const skipped: { path: string; reason: string }[] = [];
  const seen = new Set<string>();
  for (const { path, entry, isFolder } of listed) {
    if (isFolder) continue;
    if (MANY_MARKS.test(path)) {
      skipped.push({ path, reason: 'its name has more than 30 combining marks in a row' });
      continue;
    }
    const folded = path.normalize('NFC').toLowerCase();
    if (((entry.externalFileAttributes >>> 16) & FILE_TYPE) === SYMLINK)
      skipped.push({ path, reason: 'it is a symbolic link' });
    else if (seen.has(folded)) skipped.push({ path, reason: 'another entry has the same name' });
    else entries.push(readable(file, path, entry));
    seen.add(folded);
  }
  return { entries, skipped };
}

function readable(file: ZipFile, path: string, entry: Entry): ZipEntry {
  const { uncompressedSize: size, compressionMethod: method } = entry;
  const unreadable = (error: unknown): unknown => {
    if (error instanceof ZipError || isSystemError(error)) return error;
    const message = entry.canDecodeFileData()
      ? `${path} is damaged. Download or create the ZIP again.`
      : `${path} is compressed by method ${method}. Create the ZIP with the method "deflate".`;
    return new ZipError('damaged', message, error);
  };
  const stream = async (): Promise<Readable> => {
    try {
      return await file.openReadStreamPromise(entry);
    } catch (error) {
      throw unreadable(error);
    }
  };
  return {
    path,
    size,
    stream,
    async read() {
      try {
        const chunks: Buffer[] = [];
        // yauzl ends the stream with an error when it has more or fewer bytes than declared.
        for await (const chunk of await stream()) chunks.push(chunk as Buffer);
        const bytes = Buffer.concat(chunks);
        if (crc32(bytes) !== entry.crc32) throw new Error('Wrong checksum');
        return bytes;
      } catch (error) {
        throw unreadable(error);
      }
    },
  };
}
