import type { Context } from '../../platform/api/context.ts';
import { engineWithoutThreads, findPrimary, lockToPublish, type StorageContext } from '../revisions/index.ts';
import { addPrepared } from './add-prepared.ts';
import type { ImportedFolder } from './imported-folder.ts';
import { prepareFolder } from './prepare-folder.ts';
import type { WrittenImport } from './write-import.ts';

type CommandContext = Pick<Context, 'files' | 'now'> & StorageContext & { readonly signal?: AbortSignal };

/**
 * For the command line: adds a folder to a space. The operator may also import into a locked space. `signal` ends the
 * import until the transaction is committed.
 */
export async function addImported(
  ctx: CommandContext,
  { spaceId, pageId }: { readonly spaceId: string; readonly pageId?: string | undefined },
  authorId: string | undefined,
  folder: ImportedFolder,
): Promise<WrittenImport> {
  const { store_id: storeId } = await findPrimary(ctx.db, spaceId);
  const prepared = await prepareFolder(ctx, engineWithoutThreads, { storeId, pageId }, folder);
  return ctx.db.transaction().execute(async (db) => {
    const publishing = await lockToPublish({ ...ctx, db }, engineWithoutThreads, spaceId);
    const added = await addPrepared(publishing.base, pageId, prepared, ctx.now());
    const revisionId = await publishing.add({ ...added, authorId, type: 'edits' });
    await publishing.write();
    ctx.signal?.throwIfAborted();
    return { ...added, revisionId };
  });
}
