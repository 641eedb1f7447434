import {
  exportBody,
  listBodies,
  listFiles,
  newExport,
  recordOwnTitle,
  untitledPages,
  writeBody,
  type BodyFile,
  type BodyRecord,
  type ExportContext,
  type WrittenFile,
} from '../../../content-engine/folder/index.ts';
import type { Load } from '../../../content-engine/map/index.ts';
import { sizeOfText } from '../../../content-engine/size-of-text.ts';
import type { Tree } from '../../../content-engine/tree/index.ts';
import { nameOf, runTask } from '../../content-store/index.ts';
import { createRecordTexts, type RecordTexts } from './record-texts.ts';

/** The source from which a folder is written. */
export interface FolderSource {
  readonly load: Load;
  readonly tree: Tree;
  readonly isFront: boolean;
}

/** Files of an export. Bodies are read and written while the files are, so that only a few are in memory. */
export interface FolderFiles {
  readonly count: number;
  readonly files: AsyncIterable<WrittenFile>;
}

interface FolderExport {
  readonly context: ExportContext;
  readonly texts: RecordTexts;
  readonly isFront: boolean;
}

/** The files of a revision: texts, and hashes of stored files. */
export async function folderOf(source: FolderSource): Promise<FolderFiles> {
  const started = await startExport(source);
  const { context, texts } = started;
  for await (const page of texts.whileLoaded(untitledPages(context), (record) => record))
    recordOwnTitle(context, page, bodyOf(started, page));
  const files = listFiles(context);
  return { count: files.length, files: writeFiles(started, files) };
}

/** The files of these pages alone. Undefined: a change of a body may change other files of this folder, too. */
export async function bodiesOf(
  source: FolderSource,
  ids: readonly string[],
): Promise<FolderFiles | undefined> {
  const started = await startExport(source);
  const files = listBodies(started.context, ids);
  return files && { count: files.length, files: writeFiles(started, files) };
}

async function startExport({ load, tree, isFront }: FolderSource): Promise<FolderExport> {
  const texts = await createRecordTexts(load, tree);
  return { texts, isFront, context: newExport(tree, texts.textOf) };
}

async function* writeFiles(
  started: FolderExport,
  files: readonly (WrittenFile | BodyFile)[],
): AsyncGenerator<WrittenFile, void, undefined> {
  const { context, texts } = started;
  for await (const file of texts.whileLoaded(files, (one) => ('record' in one ? one.record : undefined)))
    yield 'record' in file ? writeBody(context, file, bodyOf(started, file.record)) : file;
}

/** The body with links that resolve in the folder. */
function bodyOf({ context, isFront }: FolderExport, record: BodyRecord): string {
  const work = { size: sizeOfText(context.textOf(record.document)), what: nameOf(record) };
  return runTask({ isFront }, work, () => exportBody(context, record));
}
