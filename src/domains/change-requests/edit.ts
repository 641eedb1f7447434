import type { Context } from '../../platform/api/context.ts';
import {
  applyBatch,
  differingIds,
  looseLinksIn,
  type AppliedBatch,
  type Batch,
  type BatchBase,
  type StoredFiles,
} from '../content/index.ts';
import {
  cacheFacts,
  loaderOf,
  rootOf,
  withTexts,
  type Analyses,
  type Content,
} from '../content-store/index.ts';
import { findPrimary, findRoot, requireViewableSpecs } from '../revisions/index.ts';
import { rebaseOpenConflicts } from './conflicts/rebase.ts';
import type { RequestContentRow } from './policy.ts';
import { baseOf, addEditedRevision } from './add-revision.ts';
import { bodyTasksFor } from './merge/run-body-tasks.ts';
import { requirePending } from './status.ts';
import { lockChangeRequest } from './store.ts';

/** Adds a revision to a change request that is still pending. */
export async function reviseRequest<T extends Content & { readonly analyses: Analyses }>(
  ctx: Context,
  row: RequestContentRow,
  revise: (on: BatchBase) => Promise<T>,
): Promise<T & { readonly revisionId: string }> {
  const locked = await lockChangeRequest(ctx.db, row.change_request_id);
  requirePending(locked.status);
  const base = await baseOf(ctx, row.store_id, locked);
  const load = loaderOf(ctx, row.store_id);
  const on = {
    load,
    isFront: ctx.isFront,
    tree: base.tree,
    findLoose: looseLinksIn({
      ctx,
      load,
      spaceId: row.space_id,
      tree: base.tree,
      unindexed: async () =>
        differingIds(load, rootOf(await findPrimary(ctx.db, row.space_id)), rootOf(base)),
    }),
    rootOf: async (id: string = locked.ancestor_revision_id) => {
      const found = await findRoot(ctx.db, row.space_id, id);
      return found && rootOf(found);
    },
  };
  const content = await revise(on);
  cacheFacts(ctx, content.analyses);
  await requireViewableSpecs(ctx, on.load, row.space_id, ctx.caller.id, base.tree, content);
  const revisionId = await addEditedRevision(ctx, row, base, content);
  if (revisionId !== base.revision_id) {
    const change = { before: base.tree, after: content.tree, changed: content.changed };
    const run = bodyTasksFor(ctx, base.tree);
    await rebaseOpenConflicts(ctx.db, row.change_request_id, withTexts(on.load, content.texts), change, run);
  }
  return { ...content, revisionId };
}

/** Applies a batch to the content of a change request, as one revision: all changes or none. */
export const editRequest = (
  ctx: Context,
  row: RequestContentRow,
  batch: Batch,
  files: StoredFiles,
): Promise<AppliedBatch & { readonly revisionId: string }> =>
  reviseRequest(ctx, row, async (on) => {
    const edited = await applyBatch(on, batch, files, ctx.now());
    const { changed, tree } = edited.applied;
    return { ...edited, changed, tree };
  });
