import { resolveConflict, type Use } from '../../../content-engine/merge/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { conflict, notFound } from '../../../platform/api/errors.ts';
import { loaderOf, withTexts } from '../../content-store/index.ts';
import type { RequestContentRow } from '../policy.ts';
import { baseOf, addEditedRevision } from '../add-revision.ts';
import { bodyTasksFor } from '../merge/run-body-tasks.ts';
import { requirePending } from '../status.ts';
import { lockChangeRequest } from '../store.ts';
import { rebaseOpenConflicts } from './rebase.ts';
import { deleteConflicts, getConflict } from './store.ts';

/** Resolves a conflict by choosing a version. */
export async function resolve(
  ctx: Context,
  row: RequestContentRow,
  conflictId: string,
  use: Use,
): Promise<string> {
  const locked = await lockChangeRequest(ctx.db, row.change_request_id);
  requirePending(locked.status);
  const open = await getConflict(ctx.db, row.change_request_id, conflictId);
  if (!open) throw notFound('Conflict');
  const base = await baseOf(ctx, row.store_id, locked);
  const load = loaderOf(ctx, row.store_id);
  const run = bodyTasksFor(ctx, base.tree);
  const now = ctx.now().getTime();
  const resolved = await resolveConflict(load, base.tree, open, use, now, run);
  if (!resolved) {
    throw conflict(
      open.kind === 'delete'
        ? 'The page has subpages and cannot be deleted. Move or delete them first, or resolve their conflicts, or keep the page.'
        : 'The position is no longer valid: the parent page was deleted or moved below this page. Move the parent first, ' +
            'or use the other version.',
    );
  }
  await deleteConflicts(ctx.db, [conflictId]);
  const revisionId = await addEditedRevision(ctx, row, base, resolved);
  const change = { before: base.tree, after: resolved.tree, changed: resolved.changed };
  await rebaseOpenConflicts(ctx.db, row.change_request_id, withTexts(load, resolved.texts), change, run);
  return revisionId;
}
