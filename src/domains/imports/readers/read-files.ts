import { spool, SpoolLimitExceeded, type Spool } from '../../../platform/spool.ts';
import {
  ImportError,
  type ImportedFolder,
  type ImportWork,
  type SourceFile,
} from '../folder/imported-folder.ts';
import { MAX_DOWNLOAD, MAX_ENTRIES, MAX_INFLATED } from '../limits.ts';
import { openArchive } from './archive/archive.ts';
import { readArchive } from './archive/read-archive.ts';

export const ARCHIVE_LIMITS = { entries: MAX_ENTRIES, bytes: MAX_INFLATED };

/** Reads uploaded files together: pages, Word documents and archives. */
export async function readFiles(work: ImportWork, files: readonly SourceFile[]): Promise<ImportedFolder> {
  const spools: Spool[] = [];
  try {
    const sources = [];
    for (const { name, open } of files) {
      work.signal.throwIfAborted();
      const spooled = await spoolFile(name, await open());
      spools.push(spooled);
      sources.push({ name, path: spooled.path, size: spooled.size });
    }
    const archive = await openArchive(sources, ARCHIVE_LIMITS);
    try {
      return await readArchive(work, archive);
    } finally {
      await archive.close();
    }
  } finally {
    for (const spooled of spools) await spooled.dispose();
  }
}

async function spoolFile(name: string, content: AsyncIterable<Uint8Array>): Promise<Spool> {
  try {
    return await spool(content, MAX_DOWNLOAD);
  } catch (error) {
    if (!(error instanceof SpoolLimitExceeded)) throw error;
    throw new ImportError(413, `${name} exceeds ${MAX_DOWNLOAD / 1024 / 1024} MB.`, 'Split it.');
  }
}
