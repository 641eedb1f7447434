import type { Context } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { columnOf, storeChanges } from '../content/index.ts';
import { insertRevision } from '../spaces/index.ts';
import { bytesOf, renewConflicts, storeConflicts } from './conflicts.ts';
import { listConflicts } from './conflicts/store.ts';
import { lockToMerge, mergedWith, type MergeResult } from './merge.ts';
import { noteContribution } from './people/store.ts';
import type { ChangeRequestRow } from './policy.ts';
import { announceEdit, baseOf } from './propose.ts';
import { requirePending } from './status.ts';
import { moveRequest } from './store.ts';

/** Brings what the space shows into the request. What cannot be decided becomes conflicts of the request. */
export async function updateRequest(ctx: Context, row: ChangeRequestRow): Promise<MergeResult> {
  const id = row.change_request_id;
  const { locked: found, publishing } = await lockToMerge(ctx.db, row.space_id, [id]);
  const locked = found.get(id);
  if (!locked) throw notFound('Change request');
  requirePending(locked.status);
  const { base: primary, load } = publishing;
  if (locked.ancestor_revision_id === primary.revision_id) {
    return { revision: locked.revision_id, result: locked.has_conflicts ? 'conflicts' : 'update' };
  }
  const merged = await mergedWith(publishing, locked);
  const proposed = await baseOf(ctx, primary.store_id, locked);
  const were = locked.has_conflicts ? await listConflicts(ctx.db, id) : [];
  const sides = { before: proposed.tree, primary: primary.tree, merged };
  const renewed = await renewConflicts(load, sides, were, ctx.now().getTime());
  const root = await storeChanges(ctx.db, primary, { ...renewed, texts: bytesOf(renewed.texts) });
  const revisionId = newId();
  await insertRevision(ctx.db, row.space_id, {
    id: revisionId,
    type: 'update',
    parents: [locked.revision_id, primary.revision_id],
    root: columnOf(root),
    authorId: ctx.caller.id,
  });
  await moveRequest(ctx.db, id, revisionId, primary.revision_id);
  await announceEdit(ctx, row, locked.revision_id, revisionId);
  await noteContribution(ctx.db, id, ctx.caller.id, 'edit');
  await storeConflicts(ctx.db, id, renewed);
  const hasConflicts = renewed.open.length + renewed.fresh.length > 0;
  return { revision: revisionId, result: hasConflicts ? 'conflicts' : 'update' };
}
