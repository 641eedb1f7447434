import { ImportError, type ImportedFolder, type ImportWork, type SourceFile } from '../imported-folder.ts';
import type { ImportSource } from '../schema.ts';
import { readMarkdown, readMarkdownFiles } from './markdown.ts';

type SourceReader = (work: ImportWork, url: string) => Promise<ImportedFolder>;

/** The reader of each source. */
const READERS: Readonly<Partial<Record<ImportSource, SourceReader>>> = { markdown: readMarkdown };

/** Reads what a URL leads to, as the kind of source that the caller says it is. */
export async function readSource(
  work: ImportWork,
  source: ImportSource,
  url: string,
): Promise<ImportedFolder> {
  const read = READERS[source];
  if (!read) throw new ImportError(422, `This server cannot import the source ${source}.`);
  return read(work, url);
}

/** Reads files; their kinds are detected. */
export const readFiles = (work: ImportWork, files: readonly SourceFile[]): Promise<ImportedFolder> =>
  readMarkdownFiles(work, files);
