import type { FolderWarning } from '../../../content-engine/folder/index.ts';
import { isSame } from '../../../content-engine/map/index.ts';
import { buildTree, isPage, type ContentRecord, type Tree } from '../../../content-engine/tree/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { conflict, tooLarge } from '../../../platform/api/errors.ts';
import { readTree, type StorageContext } from '../../content-store/index.ts';
import { findPrimary, lockToPublish, type Primary, type Publishing } from '../../revisions/index.ts';
import { MAX_FILE } from '../files/store-bytes.ts';
import type { FolderEntry, StoredFolder } from './folder-to-import.ts';
import { readRecords, type ReadRecords } from './read-records.ts';
import { storeFolder } from './store-folder.ts';

export interface Imported {
  readonly spaceId: string;
  readonly revisionId: string;
  readonly pages: number;
  readonly warnings: readonly FolderWarning[];
}

/** A file whose bytes are read when they are needed. */
export interface ReadableEntry extends FolderEntry {
  read(): Promise<Uint8Array>;
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
  entries: readonly ReadableEntry[],
): Promise<Imported> =>
  importFiles(ctx, target, authorId, async (storeId) => {
    const large = entries.find(({ size }) => size > MAX_FILE);
    if (large) throw tooLarge(`${large.path} exceeds ${MAX_FILE / 1024 / 1024} MB. Nothing was imported.`);
    const warnings: FolderWarning[] = [];
    const warn = (path: string, message: string, line?: number) =>
      warnings.push({ path, message, ...(line === undefined ? {} : { line }) });
    return { ...(await storeFolder(ctx, storeId, { entries, read: readEach }, { warn })), warnings };
  });

async function* readEach(entries: readonly ReadableEntry[]): AsyncGenerator<Uint8Array, void, undefined> {
  for (const { read } of entries) yield await read();
}

/**
 * Imports a folder with files that `store` stores in the storage of an organization. They are stored and pages are read before
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
    const { warnings = [], outline, analysisOf } = folder;
    const previous = shown && { previous: shown.tree };
    const read = await readRecords(ctx, storeId, folder, {
      ...previous,
      ...(outline && { outline }),
      ...(analysisOf && { analysisOf }),
    });
    const imported = await inTransaction(ctx.db, async (db) => {
      const spaceId = 'spaceId' in target ? target.spaceId : await target.create(db);
      const publishing = await lockToPublish({ ...ctx, db }, spaceId);
      if (shown && publishing.base.revision_id !== shown.revision_id) return undefined;
      if (publishing.base.store_id !== storeId)
        throw conflict(
          'The space was transferred to another organization during the import. Import it again.',
        );
      const published = await publish(publishing, authorId, read);
      ctx.signal?.throwIfAborted();
      return { spaceId, ...published, warnings: [...warnings, ...read.warnings] };
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
  return { ...primary, tree: await readTree(ctx, primary) };
}

async function publish(publishing: Publishing, authorId: string | undefined, read: ReadRecords) {
  const revisionId = await publishing.add({
    authorId,
    type: 'edits',
    changed: changesTo(publishing.base.tree, read.records),
    tree: buildTree(read.records),
    texts: new Map(),
    analyses: read.analyses,
  });
  await publishing.write();
  return { revisionId, pages: read.records.filter(isPage).length };
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
