import type { Context } from '../../../platform/api/context.ts';
import { notFound } from '../../../platform/api/errors.ts';
import { writeContent } from '../../content-store/index.ts';
import { listConflicts } from '../conflicts/store.ts';
import { lockToMerge, mergeWithSpace, pinMerged, type MergeResult } from './merge.ts';
import type { ChangeRequestRow } from '../policy.ts';
import { baseOf, addRevision } from '../add-revision.ts';
import { recomputeConflicts, storeConflicts } from '../conflicts/recompute.ts';
import { bodyTasksFor } from './run-body-tasks.ts';
import { requirePending } from '../status.ts';

/** Merges the present content of the space into the request. What cannot be merged becomes conflicts of the request. */
export async function updateFromSpace(ctx: Context, row: ChangeRequestRow): Promise<MergeResult> {
  const id = row.change_request_id;
  const { locked: found, publishing } = await lockToMerge(ctx, row.space_id, [id]);
  const locked = found.get(id);
  if (!locked) throw notFound('Change request');
  requirePending(locked.status);
  const { base: primary, load } = publishing;
  if (locked.ancestor_revision_id === primary.revision_id) {
    return { revision: locked.revision_id, result: locked.has_conflicts ? 'conflicts' : 'update' };
  }
  const previous = locked.has_conflicts ? await listConflicts(ctx.db, id) : [];
  const open = previous.map(({ conflict }) => conflict);
  const run = bodyTasksFor(ctx, primary.tree);
  const merged = await mergeWithSpace(publishing, locked, run, open);
  const proposed = await baseOf(ctx, primary.store_id, locked);
  const sides = { before: proposed.tree, primary: primary.tree, merged };
  const renewed = await recomputeConflicts(load, sides, previous, {
    now: ctx.now().getTime(),
    run,
  });
  const root = await writeContent(ctx, primary, await pinMerged(ctx, publishing, renewed));
  const revision = await addRevision(ctx, row, {
    type: 'update',
    parents: [locked.revision_id, primary.revision_id],
    root,
    ancestorId: primary.revision_id,
  });
  await storeConflicts(ctx.db, id, renewed);
  const hasConflicts = renewed.open.length + renewed.added.length > 0;
  return { revision, result: hasConflicts ? 'conflicts' : 'update' };
}
