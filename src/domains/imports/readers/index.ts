import type { ImportedFolder, ImportWork } from '../folder/imported-folder.ts';
import type { ImportSource } from '../schema.ts';
import { readDownload } from './read-download.ts';
import { readWebsite } from './website/read-website.ts';

export { folderArchive, openArchive, type Archive } from './archive/archive.ts';
export { kindOf, type ArchiveKind } from './archive/archive-kind.ts';
export { readArchive } from './archive/read-archive.ts';
export { readFiles } from './read-files.ts';

/** Reads what a URL leads to, as the kind of source that the caller says it is. */
export async function readSource(
  work: ImportWork,
  source: ImportSource,
  url: string,
): Promise<ImportedFolder> {
  if (source === 'website') return readWebsite(work, url);
  return readDownload(work, source, url, (wiki) => readWebsite(work, wiki, { generator: 'github-wiki' }));
}
