import { carryConflict, resolveConflict, type Use } from '../../content-engine/merge/index.ts';
import type { Load } from '../../content-engine/map/index.ts';
import type { Tree } from '../../content-engine/tree/index.ts';
import type { Context } from '../../platform/context.ts';
import type { Database } from '../../platform/database/connection.ts';
import { notFound } from '../../platform/errors.ts';
import { loaderOf, withObjects, type AppliedBatch, type Base } from '../content/index.ts';
import type { RequestContentRow } from './policy.ts';
import { requirePending } from './status.ts';
import { lockChangeRequest } from './store.ts';
import { deleteConflicts, getConflict, listConflicts, replaceConflict } from './conflicts/store.ts';
import { baseOf, proposeNext } from './propose.ts';

export async function settleEdited(
  ctx: Context,
  row: RequestContentRow,
  base: Base,
  { applied, texts }: Pick<AppliedBatch, 'applied' | 'texts'>,
): Promise<void> {
  const load = withObjects(loaderOf(ctx.db, row.store_id), texts);
  const change = { before: base.tree, after: applied.tree, resolves: true };
  await carryConflicts(ctx.db, row.change_request_id, load, change);
}

/**
 * Where the conflicts of a request stand after its content changed. An edit of the very block or field resolves one; an
 * update by the space is nobody's decision.
 */
export async function carryConflicts(
  db: Database,
  requestId: string,
  load: Load,
  change: { readonly before: Tree; readonly after: Tree; readonly resolves: boolean },
): Promise<void> {
  for (const { id, conflict } of await listConflicts(db, requestId)) {
    const carried = await carryConflict(load, conflict, change.before, change.after);
    if (!carried.conflict || (carried.isEdited && change.resolves)) await deleteConflicts(db, [id]);
    else if (carried.conflict !== conflict) await replaceConflict(db, id, carried.conflict);
  }
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
  const conflict = await getConflict(ctx.db, row.change_request_id, conflictId);
  if (!conflict) throw notFound('Conflict');
  const base = await baseOf(ctx, row.store_id, locked);
  const load = loaderOf(ctx.db, row.store_id);
  const resolved = await resolveConflict(load, base.tree, conflict, use, ctx.now().getTime());
  await deleteConflicts(ctx.db, [conflictId]);
  const texts = bytesOf(resolved.texts);
  const revisionId = await proposeNext(ctx, row, base, 'edits', { ...resolved, texts });
  const change = { before: base.tree, after: resolved.tree, resolves: true };
  await carryConflicts(ctx.db, row.change_request_id, withObjects(load, texts), change);
  return revisionId;
}

export const bytesOf = (texts: ReadonlyMap<string, string>): Map<string, Uint8Array> =>
  new Map(Array.from(texts, ([hash, text]) => [hash, Buffer.from(text, 'utf8')]));
