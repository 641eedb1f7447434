import {
  listBodiesInSteps,
  listFilesInSteps,
  movedLinksInSteps,
  newExportInSteps,
  recordOwnTitle,
  untitledPagesInSteps,
  writeBody,
  type BodyFile,
  type BodyRecord,
  type ExportContext,
  type WrittenFile,
} from '../../../content-engine/folder/index.ts';
import type { Load } from '../../../content-engine/map/index.ts';
import { runToEnd } from '../../../content-engine/run-to-end.ts';
import { sizeOfText } from '../../../content-engine/size-of-text.ts';
import { isOutOfLine, type Tree } from '../../../content-engine/tree/index.ts';
import { inSlices, pauseBetweenSlices } from '../../../platform/threads/slices.ts';
import { nameOf, type Engine } from '../../revisions/index.ts';
import { createRecordTexts, type RecordTexts } from './record-texts.ts';

/** What a folder is written from. */
export interface FolderSource {
  readonly load: Load;
  readonly tree: Tree;
  readonly engine: Engine;
}

/** Files of an export. Bodies are read and written while the files are, so that only a few are in memory. */
export interface FolderFiles {
  readonly count: number;
  readonly files: AsyncIterable<WrittenFile>;
}

interface FolderExport {
  readonly context: ExportContext;
  readonly texts: RecordTexts;
  readonly engine: Engine;
}

/** The files of a revision: texts, and hashes of stored files. Holds the event loop only for moments. */
export async function folderOf(source: FolderSource): Promise<FolderFiles> {
  const started = await startExport(source);
  const { context, texts } = started;
  const untitled = await inSlices(untitledPagesInSteps(context));
  const pause = pauseBetweenSlices();
  for await (const page of texts.whileLoaded(untitled, (record) => record)) {
    await pause();
    recordOwnTitle(context, page, await bodyOf(started, page));
  }
  const files = await inSlices(listFilesInSteps(context));
  return { count: files.length, files: writeFiles(started, files) };
}

/** The files of these pages alone. Undefined: a change of a body may change other files of this folder, too. */
export async function bodiesOf(
  source: FolderSource,
  ids: readonly string[],
): Promise<FolderFiles | undefined> {
  const started = await startExport(source);
  const files = await inSlices(listBodiesInSteps(started.context, ids));
  return files && { count: files.length, files: writeFiles(started, files) };
}

async function startExport({ load, tree, engine }: FolderSource): Promise<FolderExport> {
  const texts = await createRecordTexts(load, tree);
  return { texts, engine, context: await inSlices(newExportInSteps(tree, texts.textOf)) };
}

async function* writeFiles(
  started: FolderExport,
  files: readonly (WrittenFile | BodyFile)[],
): AsyncGenerator<WrittenFile, void, undefined> {
  const { context, texts } = started;
  for await (const file of texts.whileLoaded(files, (one) => ('record' in one ? one.record : undefined)))
    yield 'record' in file ? writeBody(context, file, await bodyOf(started, file.record)) : file;
}

/** The body with links that resolve in the folder. A large one is parsed in a thread. */
async function bodyOf({ context, engine }: FolderExport, record: BodyRecord): Promise<string> {
  const text = context.textOf(record.document);
  if (record.links === undefined) return text;
  const moving = movedLinksInSteps(context, record);
  // A table in the record is short. Waiting for a slice would take longer.
  const moved = isOutOfLine(record.links) ? await inSlices(moving) : runToEnd(moving);
  if (moved.size === 0) return text;
  return engine.run('respellHrefs', { text, moved }, { size: sizeOfText(text), what: nameOf(record) });
}
