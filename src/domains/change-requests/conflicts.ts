import { carryConflicts, resolveConflict, type Use } from '../../content-engine/merge/index.ts';
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
  listConflicts,
  replaceConflicts,
  type ConflictRow,
} from './conflicts/store.ts';
import { baseOf, proposeEdit } from './propose.ts';

export async function settleEdited(
  ctx: Context,
  row: RequestContentRow,
  base: Base,
  { applied, texts }: Pick<AppliedBatch, 'applied' | 'texts'>,
): Promise<void> {
  const load = withObjects(loaderOf(ctx.db, row.store_id), texts);
  const change = { before: base.tree, after: applied.tree };
  await follow(ctx.db, row.change_request_id, load, change);
}

/** Where the conflicts of a request stand after somebody edited it: an edit of the very block or field resolves one. */
async function follow(
  db: Database,
  requestId: string,
  load: Load,
  change: { readonly before: Tree; readonly after: Tree },
): Promise<void> {
  const rows = await listConflicts(db, requestId);
  const open = rows.map(({ conflict }) => conflict);
  const carried = await carryConflicts(load, open, change.before, change.after);
  const gone: string[] = [];
  const moved: ConflictRow[] = [];
  for (const [index, { id, conflict: old }] of rows.entries()) {
    const { conflict: now, isEdited } = carried[index] ?? { isEdited: true };
    if (!now || isEdited) gone.push(id);
    else if (now !== old) moved.push({ id, conflict: now });
  }
  await deleteConflicts(db, gone);
  await replaceConflicts(db, moved);
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
      open.kind === 'delete'
        ? 'It cannot be deleted while other pages stand below it. Move or delete them first, or keep it.'
        : 'It cannot stand there any more: the page above it is gone, or is below it now. Move that one first, or use ' +
            'the other version.',
    );
  }
  await deleteConflicts(ctx.db, [conflictId]);
  const texts = bytesOf(resolved.texts);
  const revisionId = await proposeEdit(ctx, row, base, { ...resolved, texts });
  const change = { before: base.tree, after: resolved.tree };
  await follow(ctx.db, row.change_request_id, withObjects(load, texts), change);
  return revisionId;
}

export const bytesOf = (texts: ReadonlyMap<string, string>): Map<string, Uint8Array> =>
  new Map(Array.from(texts, ([hash, text]) => [hash, Buffer.from(text, 'utf8')]));
