import type { Context } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { columnOf, storeChanges, withObjects } from '../content/index.ts';
import { insertRevision } from '../spaces/index.ts';
import { bytesOf, renewConflicts } from './conflicts.ts';
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
  const merged = await mergedWith(publishing, locked);
  if (locked.ancestor_revision_id === primary.revision_id) {
    return { revision: locked.revision_id, result: 'update' };
  }
  const texts = bytesOf(merged.texts);
  const root = await storeChanges(ctx.db, primary, { ...merged, texts });
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
  const proposed = await baseOf(ctx, primary.store_id, locked);
  const open = await renewConflicts(ctx.db, id, withObjects(load, texts), {
    before: proposed.tree,
    primary: primary.tree,
    merged,
  });
  return { revision: revisionId, result: open > 0 ? 'conflicts' : 'update' };
}
