import type { Context } from '../../../platform/api/context.ts';
import { reviseRequest, type RequestContentRow } from '../../change-requests/index.ts';
import { lockLive, type ContentRow } from '../../revisions/index.ts';
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
  const publishing = await lockLive(ctx, row.space_id);
  const added = addPrepared(publishing.base, pageId, prepared, ctx.now());
  const revisionId = await publishing.add({ ...added, authorId: ctx.caller.id, type: 'edits' });
  await publishing.write();
  return { ...added, revisionId };
}

/** Adds an import to the content of a change request, as one revision. */
export const writeToRequest = (
  ctx: Context,
  row: RequestContentRow,
  pageId: string | undefined,
  prepared: PreparedImport,
): Promise<WrittenImport> =>
  reviseRequest(ctx, row, async ({ tree }) =>
    addPrepared({ tree, store_id: row.store_id }, pageId, prepared, ctx.now()),
  );
