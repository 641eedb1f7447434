import type { Context } from '../../../platform/api/context.ts';
import { type StorageContext } from '../../content-store/index.ts';
import { findPrimary, lockToPublish } from '../../revisions/index.ts';
import { addPrepared } from './add-prepared.ts';
import type { ImportedFolder } from './imported-folder.ts';
import { prepareFolder } from './prepare-folder.ts';
import type { WrittenImport } from './write-import.ts';

type CommandContext = Pick<Context, 'files' | 'now'> & StorageContext & { readonly signal?: AbortSignal };

/**
 * Adds a folder to a space, for the command line. The operator may also import into a locked space. `signal` ends the
 * import until the transaction is committed.
 */
export async function addImported(
  ctx: CommandContext,
  { spaceId, pageId }: { readonly spaceId: string; readonly pageId?: string | undefined },
  authorId: string | undefined,
  folder: ImportedFolder,
): Promise<WrittenImport> {
  const { store_id: storeId } = await findPrimary(ctx.db, spaceId);
  const prepared = await prepareFolder(ctx, { storeId, pageId }, folder);
  return ctx.db.transaction().execute(async (db) => {
    const publishing = await lockToPublish({ ...ctx, db }, spaceId);
    const added = addPrepared(publishing.base, pageId, prepared, ctx.now());
    const revisionId = await publishing.add({ ...added, authorId, type: 'edits' });
    await publishing.write();
    ctx.signal?.throwIfAborted();
    return { ...added, revisionId };
  });
}
