import { ImportError, type ImportedFolder, type ImportWork } from '../imported-folder.ts';
import type { ImportSource } from '../schema.ts';
import { readDownload } from './read-download.ts';

export { folderArchive, openArchive, type Archive } from './archive.ts';
export { kindOf, type ArchiveKind } from './archive-kind.ts';
export { readArchive } from './read-archive.ts';
export { readFiles } from './read-files.ts';

/** Reads what a URL leads to, as the kind of source that the caller says it is. */
export async function readSource(
  work: ImportWork,
  source: ImportSource,
  url: string,
): Promise<ImportedFolder> {
  if (source === 'website') throw new ImportError(422, 'This server cannot import websites.');
  return readDownload(work, source, url, (wiki) => readSource(work, 'website', wiki));
}
