import {
  carryConflict,
  isAboutSame,
  renewConflict,
  resolveConflict,
  type Merged,
  type Use,
} from '../../content-engine/merge/index.ts';
import type { Load } from '../../content-engine/map/index.ts';
import type { Tree } from '../../content-engine/tree/index.ts';
import type { Context } from '../../platform/context.ts';
import type { Database } from '../../platform/database/connection.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import { loaderOf, withObjects, type AppliedBatch, type Base } from '../content/index.ts';
import type { RequestContentRow } from './policy.ts';
import { requirePending } from './status.ts';
import { lockChangeRequest } from './store.ts';
import {
  deleteConflicts,
  getConflict,
  insertConflicts,
  listConflicts,
  replaceConflict,
} from './conflicts/store.ts';
import { baseOf, proposeNext } from './propose.ts';

export async function settleEdited(
  ctx: Context,
  row: RequestContentRow,
  base: Base,
  { applied, texts }: Pick<AppliedBatch, 'applied' | 'texts'>,
): Promise<void> {
  const load = withObjects(loaderOf(ctx.db, row.store_id), texts);
  const change = { before: base.tree, after: applied.tree };
  await carryConflicts(ctx.db, row.change_request_id, load, change);
}

/** Where the conflicts of a request stand after somebody edited it: an edit of the very block or field resolves one. */
async function carryConflicts(
  db: Database,
  requestId: string,
  load: Load,
  change: { readonly before: Tree; readonly after: Tree },
): Promise<void> {
  for (const { id, conflict: open } of await listConflicts(db, requestId)) {
    const carried = await carryConflict(load, open, change.before, change.after);
    if (!carried.conflict || carried.isEdited) await deleteConflicts(db, [id]);
    else if (carried.conflict !== open) await replaceConflict(db, id, carried.conflict);
  }
}

/**
 * Those of a request after an update, which is nobody's decision: those that there were, with what the space has now, and
 * those that are new. Answers how many there are.
 */
export async function renewConflicts(
  db: Database,
  requestId: string,
  load: Load,
  { before, primary, merged }: { readonly before: Tree; readonly primary: Tree; readonly merged: Merged },
): Promise<number> {
  const fresh = new Set(merged.conflicts);
  let open = 0;
  for (const { id, conflict: old } of await listConflicts(db, requestId)) {
    const again = merged.conflicts.find((one) => isAboutSame(one, old));
    if (again) fresh.delete(again);
    const { conflict: carried } = await carryConflict(load, old, before, merged.tree);
    const renewed = carried && renewConflict(carried, again, primary, merged.tree);
    if (!renewed) await deleteConflicts(db, [id]);
    else if (renewed !== old) await replaceConflict(db, id, renewed);
    if (renewed) open++;
  }
  await insertConflicts(db, requestId, [...fresh]);
  return open + fresh.size;
}

/** Makes one version stand, and the conflict is resolved. */
export async function settle(
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
  const load = loaderOf(ctx.db, row.store_id);
  const resolved = await resolveConflict(load, base.tree, open, use, ctx.now().getTime());
  if (!resolved) {
    throw conflict(
      'It cannot stand there any more: the page above it is gone, or is below it now. Move that one first, or use the ' +
        'other version.',
    );
  }
  await deleteConflicts(ctx.db, [conflictId]);
  const texts = bytesOf(resolved.texts);
  const revisionId = await proposeNext(ctx, row, base, 'edits', { ...resolved, texts });
  const change = { before: base.tree, after: resolved.tree };
  await carryConflicts(ctx.db, row.change_request_id, withObjects(load, texts), change);
  return revisionId;
}

export const bytesOf = (texts: ReadonlyMap<string, string>): Map<string, Uint8Array> =>
  new Map(Array.from(texts, ([hash, text]) => [hash, Buffer.from(text, 'utf8')]));
