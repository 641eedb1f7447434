import {
  carryConflict,
  isAboutSame,
  renewConflict,
  resolveConflict,
  type Conflict,
  type Merged,
  type Resolved,
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
  type ConflictRow,
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

/** What a request proposes after an update, and the conflicts that are left. */
export interface Renewed extends Resolved {
  readonly open: readonly ConflictRow[];
  readonly gone: readonly string[];
  readonly fresh: readonly Conflict[];
}

/**
 * After an update, which is nobody's decision: the conflicts that there were, with what the space has now, and those that
 * are new. Of a block that the sides agree on again, one version stands.
 */
export async function renewConflicts(
  load: Load,
  { before, primary, merged }: { readonly before: Tree; readonly primary: Tree; readonly merged: Merged },
  were: readonly ConflictRow[],
  now: number,
): Promise<Renewed> {
  const fresh = new Set(merged.conflicts);
  const open: ConflictRow[] = [];
  const gone: string[] = [];
  let content: Resolved = merged;
  const withTexts = () => withObjects(load, bytesOf(content.texts));
  for (const { id, conflict: old } of were) {
    const again = merged.conflicts.find((one) => isAboutSame(one, old));
    if (again) fresh.delete(again);
    const { conflict: carried } = await carryConflict(withTexts(), old, before, content.tree);
    const renewed = carried && renewConflict(carried, again, primary, content.tree);
    if (renewed) open.push({ id, conflict: renewed });
    else gone.push(id);
    if (!renewed && carried?.kind === 'block') {
      const settled = await resolveConflict(withTexts(), content.tree, carried, 'proposed', now);
      if (settled) content = withMore(content, settled);
    }
  }
  return { ...content, open, gone, fresh: [...fresh] };
}

const withMore = (one: Resolved, more: Resolved): Resolved => ({
  changed: new Map([...one.changed, ...more.changed]),
  tree: more.tree,
  texts: new Map([...one.texts, ...more.texts]),
});

export async function storeConflicts(
  db: Database,
  requestId: string,
  { open, gone, fresh }: Pick<Renewed, 'open' | 'gone' | 'fresh'>,
): Promise<void> {
  if (gone.length > 0) await deleteConflicts(db, gone);
  for (const { id, conflict: renewed } of open) await replaceConflict(db, id, renewed);
  await insertConflicts(db, requestId, fresh);
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
  const revisionId = await proposeNext(ctx, row, base, 'edits', { ...resolved, texts });
  const change = { before: base.tree, after: resolved.tree };
  await carryConflicts(ctx.db, row.change_request_id, withObjects(load, texts), change);
  return revisionId;
}

export const bytesOf = (texts: ReadonlyMap<string, string>): Map<string, Uint8Array> =>
  new Map(Array.from(texts, ([hash, text]) => [hash, Buffer.from(text, 'utf8')]));
