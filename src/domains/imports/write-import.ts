import type { Context } from '../../platform/api/context.ts';
import { pauseBetweenSlices } from '../../platform/threads/slices.ts';
import { reviseRequest, type RequestContentRow } from '../change-requests/index.ts';
import { engineOf, lockLive, type ContentRow } from '../revisions/index.ts';
import { addPrepared, type AddedImport } from './add-prepared.ts';
import type { PreparedImport } from './prepare-folder.ts';

export type WrittenImport = AddedImport & { readonly revisionId: string };

/** Writes the next revision of a space. The space is locked only while records are added. */
export async function writeToSpace(
  ctx: Context,
  row: Pick<ContentRow, 'space_id' | 'organization_id'>,
  pageId: string | undefined,
  prepared: PreparedImport,
): Promise<WrittenImport> {
  const publishing = await lockLive(ctx, engineOf(ctx, row.organization_id), row.space_id);
  const pause = pauseBetweenSlices();
  const added = await addPrepared(publishing.base, pageId, prepared, ctx.now());
  await pause();
  const revisionId = await publishing.add({ ...added, authorId: ctx.caller.id, type: 'edits' });
  await publishing.write();
  return { ...added, revisionId };
}

/** The same for a change request. */
export const writeToRequest = (
  ctx: Context,
  row: RequestContentRow,
  pageId: string | undefined,
  prepared: PreparedImport,
): Promise<WrittenImport> =>
  reviseRequest(ctx, row, async ({ tree }) =>
    addPrepared({ tree, store_id: row.store_id }, pageId, prepared, ctx.now()),
  );
