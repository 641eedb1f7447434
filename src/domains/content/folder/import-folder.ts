import { readFolder, type FolderContent, type FolderWarning } from '../../../content-engine/folder/index.ts';
import { isSame } from '../../../content-engine/map/index.ts';
import { buildTree, isPage, type ContentRecord, type Tree } from '../../../content-engine/tree/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { conflict } from '../../../platform/api/errors.ts';
import { newId } from '../../../platform/api/ids.ts';
import {
  engineWithoutThreads,
  findPrimary,
  loaderOf,
  lockToPublish,
  CollectedAnalyses,
  type Analyses,
  type Primary,
  type Publishing,
  rootOf,
  type StorageContext,
  treeAt,
} from '../../revisions/index.ts';
import { describeFile, storeAll } from '../files/store-bytes.ts';
import { storeFolder, storeUnlisted, type FolderEntry, type StoredFolder } from './store-files.ts';

export interface Imported {
  readonly spaceId: string;
  readonly revisionId: string;
  readonly pages: number;
  readonly warnings: readonly FolderWarning[];
}

/** A space, or an organization in which a space is created, in one transaction with the import. */
export type ImportTarget =
  | { readonly spaceId: string }
  | { readonly organizationId: string; readonly create: (db: Database) => Promise<string> };

type ImportContext = Pick<Context, 'files' | 'now'> &
  StorageContext & {
    /** Until the transaction is committed, nothing is imported. */
    readonly signal?: AbortSignal;
  };

/** How often an import starts over because the space was edited meanwhile. */
const MAX_TRIES = 5;

/** Replaces the content of a space with a folder, as one revision. Entries that remain keep their ids. */
export const importFolder = (
  ctx: ImportContext,
  target: ImportTarget,
  authorId: string | undefined,
  entries: readonly FolderEntry[],
): Promise<Imported> => importFiles(ctx, target, authorId, (storeId) => storeFolder(ctx, storeId, entries));

/**
 * The same with files that `store` stores in the storage of an organization. They are stored and pages are read before
 * the transaction that publishes them, so that it is short however large the folder is.
 */
export async function importFiles(
  ctx: ImportContext,
  target: ImportTarget,
  authorId: string | undefined,
  store: (storeId: string) => Promise<StoredFolder>,
): Promise<Imported> {
  let shown = await shownBy(ctx, target);
  const storeId = 'spaceId' in target ? (shown?.store_id ?? '') : target.organizationId;
  const folder = await store(storeId);
  for (let tries = 1; ; tries++) {
    const read = await readOnto(ctx, storeId, shown, folder);
    const imported = await inTransaction(ctx.db, async (db) => {
      const spaceId = 'spaceId' in target ? target.spaceId : await target.create(db);
      const publishing = await lockToPublish({ ...ctx, db }, engineWithoutThreads, spaceId);
      if (shown && publishing.base.revision_id !== shown.revision_id) return undefined;
      if (publishing.base.store_id !== storeId)
        throw conflict(
          'The space was transferred to another organization during the import. Import it again.',
        );
      const published = await publish(publishing, authorId, read);
      ctx.signal?.throwIfAborted();
      return { spaceId, ...published };
    });
    if (imported) return imported;
    if (tries === MAX_TRIES) throw conflict('The space is being edited. Nothing was imported; try again.');
    shown = await shownBy(ctx, target);
  }
}

const inTransaction = <T>(db: Database, work: (db: Database) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work);

type Shown = Primary & { readonly tree: Tree };

async function shownBy(ctx: ImportContext, target: ImportTarget): Promise<Shown | undefined> {
  if (!('spaceId' in target)) return undefined;
  const primary = await findPrimary(ctx.db, target.spaceId);
  return { ...primary, tree: await treeAt(ctx, loaderOf(ctx, primary.store_id), rootOf(primary)) };
}

interface Read extends FolderContent {
  readonly analyses: Analyses;
}

/** Reads the folder against the present content of the space, and stores every file in it, also unlisted pages. */
async function readOnto(
  ctx: ImportContext,
  storeId: string,
  shown: Shown | undefined,
  { files, analyses: stored, warnings = [], readAgain, ...options }: StoredFolder,
): Promise<Read> {
  const analyses = stored ?? new CollectedAnalyses();
  const read = readFolder(files, {
    newId,
    now: ctx.now().getTime(),
    ...(shown && { previous: shown.tree }),
    ...options,
    describe: describeFile,
    each: (document, analysis) => analyses.add(document, analysis),
  });
  await storeAll(ctx, storeId, read.files);
  if (readAgain) await storeUnlisted(ctx, storeId, readAgain(read.unlisted));
  return { ...read, warnings: [...warnings, ...read.warnings], analyses };
}

async function publish(publishing: Publishing, authorId: string | undefined, read: Read) {
  const revisionId = await publishing.add({
    authorId,
    type: 'edits',
    changed: changesTo(publishing.base.tree, read.records),
    tree: buildTree(read.records),
    texts: read.texts,
    analyses: read.analyses,
  });
  await publishing.write();
  return { revisionId, pages: read.records.filter(isPage).length, warnings: read.warnings };
}

/** The changes that make `records` the whole content. */
export function changesTo(
  before: Tree,
  records: readonly ContentRecord[],
): Map<string, ContentRecord | null> {
  const changed = new Map<string, ContentRecord | null>();
  for (const record of before.records.values()) changed.set(record.id, null);
  for (const record of records) {
    const old = before.records.get(record.id);
    if (old && isSame(old, record)) changed.delete(record.id);
    else changed.set(record.id, record);
  }
  return changed;
}
