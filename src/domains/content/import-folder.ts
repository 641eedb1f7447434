import { readFolder, type FolderFile, type FolderWarning } from '../../content-engine/layout/index.ts';
import { isSame, type Hash } from '../../content-engine/map/index.ts';
import type { Section } from '../../content-engine/markdown/index.ts';
import { buildTree, isPage, type ContentRecord, type Tree } from '../../content-engine/tree/index.ts';
import type { Context } from '../../platform/context.ts';
import type { Database } from '../../platform/database/connection.ts';
import { newId } from '../../platform/ids.ts';
import { engineWithoutThreads } from './engine.ts';
import { describeFile, storeBytes } from './files/new-files.ts';
import { bytesOf } from './objects.ts';
import { lockToPublish } from './publish.ts';

export interface Imported {
  readonly revisionId: string;
  readonly pages: number;
  readonly warnings: readonly FolderWarning[];
}

/** Makes a space hold exactly what a folder does, as one revision. What is still there keeps its ids. */
export async function importFolder(
  ctx: Pick<Context, 'files' | 'now'> & { readonly db: Database },
  spaceId: string,
  authorId: string | undefined,
  files: Iterable<FolderFile>,
): Promise<Imported> {
  const publishing = await lockToPublish(ctx.db, engineWithoutThreads, spaceId);
  const { tree: before, store_id: storeId } = publishing.base;
  const sectionsById = new Map<string, readonly Section[]>();
  const read = readFolder(files, {
    newId,
    now: ctx.now().getTime(),
    previous: before,
    describe: describeFile,
    each: (id, analysis) => sectionsById.set(id, analysis.sections),
  });
  for (const record of read.records) {
    const bytes = record.kind === 'file' ? read.files.get(record.hash) : undefined;
    if (record.kind === 'file' && bytes) await storeBytes(ctx, storeId, record.name, bytes);
  }
  const revisionId = await publishing.add({
    authorId,
    type: 'edits',
    changed: changesTo(before, read.records),
    tree: buildTree(read.records),
    texts: bytesOf(read.texts),
    sections: byDocument(read.records, sectionsById),
  });
  await publishing.write();
  return { revisionId, pages: read.records.filter(isPage).length, warnings: read.warnings };
}

function changesTo(before: Tree, records: readonly ContentRecord[]): Map<string, ContentRecord | null> {
  const changed = new Map<string, ContentRecord | null>();
  for (const record of before.records.values()) changed.set(record.id, null);
  for (const record of records) {
    const old = before.records.get(record.id);
    if (old && isSame(old, record)) changed.delete(record.id);
    else changed.set(record.id, record);
  }
  return changed;
}

const byDocument = (
  records: readonly ContentRecord[],
  sections: ReadonlyMap<string, readonly Section[]>,
): Map<Hash, readonly Section[]> =>
  new Map(
    records.flatMap((record): [Hash, readonly Section[]][] => {
      const known = 'document' in record ? sections.get(record.id) : undefined;
      return known && 'document' in record ? [[record.document, known]] : [];
    }),
  );
