import { mergeContent, type Merged } from '../../content-engine/merge/index.ts';
import type { Context } from '../../platform/context.ts';
import { conflict } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { columnOf, loaderOf, publish, rootOf, storeChanges, treeAt, type Base } from '../content/index.ts';
import { announce } from '../events/index.ts';
import { insertRevision } from '../spaces/index.ts';
import { bytesOf, carryConflicts, withTexts } from './conflicts.ts';
import { insertConflicts } from './conflicts/store.ts';
import { noteContribution } from './people/store.ts';
import type { ChangeRequestRow } from './policy.ts';
import { presentStandalone } from './present.ts';
import { announceEdit, baseOf } from './propose.ts';
import { requireRules } from './rules.ts';
import { requirePending } from './status.ts';
import { getChangeRequest, lockWithSpace, moveRequest, setStatus, type LockedWithSpace } from './store.ts';

export interface MergeResult {
  readonly revision: string;
  readonly result: 'merge' | 'update' | 'conflicts';
}

interface Attempt {
  readonly locked: LockedWithSpace;
  readonly primary: Base;
  readonly merged: Merged;
}

/**
 * Merges what the space shows with what the request proposes. Both are locked, so that a merge happens once, on what the
 * space shows then.
 */
async function attempt(ctx: Context, row: ChangeRequestRow): Promise<Attempt> {
  const locked = await lockWithSpace(ctx.db, row.space_id, row.change_request_id);
  requirePending(locked.status);
  const { store_id, primary_revision_id: revision_id, primary_root: root } = locked;
  const load = loaderOf(ctx.db, store_id);
  const primary = { store_id, revision_id, root, tree: await treeAt(load, rootOf({ root })) };
  const sides = {
    ancestor: rootOf({ root: locked.ancestor_root }),
    primary: rootOf(primary),
    proposed: rootOf(locked),
  };
  return { locked, primary, merged: await mergeContent(load, sides, primary.tree) };
}

/** What the request proposes becomes what the space shows; or nothing happens, and it is said why. */
export async function mergeRequest(ctx: Context, row: ChangeRequestRow): Promise<MergeResult> {
  const { locked, primary, merged } = await attempt(ctx, row);
  if (locked.revision_id === row.initial_revision_id || merged.changed.size === 0) {
    throw conflict('There is nothing to merge: it proposes what the space shows already.');
  }
  const isAsItWas = locked.version === row.version;
  const now = isAsItWas ? row : await getChangeRequest(ctx.db, ctx.caller.id, row.change_request_id);
  requireRules(locked, now, ctx.caller.id);
  if (locked.has_conflicts || merged.conflicts.length > 0) {
    return { revision: locked.revision_id, result: 'conflicts' };
  }
  const revisionId = newId();
  const revision = await publish(ctx.db, {
    id: revisionId,
    spaceId: row.space_id,
    authorId: ctx.caller.id,
    type: 'merge',
    base: primary,
    changed: merged.changed,
    tree: merged.tree,
    texts: bytesOf(merged.texts),
    mergedRevisions: [locked.revision_id],
    mergedFrom: {
      ...presentStandalone(now, ctx.addresses),
      status: 'merged',
      revisionMerged: revisionId,
      outdated: false,
    },
  });
  const where = { spaceId: row.space_id, id: row.change_request_id };
  await setStatus(ctx.db, where, locked.status, 'merged', revision);
  await announce(ctx.db, {
    type: 'change_request_merged',
    organizationId: row.organization_id,
    spaceId: row.space_id,
    data: { changeRequestId: row.change_request_id, revisionId: revision, mergedBy: ctx.caller.id },
  });
  return { revision, result: 'merge' };
}

/** Brings what the space shows into the request. What cannot be decided becomes conflicts of the request. */
export async function updateRequest(ctx: Context, row: ChangeRequestRow): Promise<MergeResult> {
  const { locked, primary, merged } = await attempt(ctx, row);
  if (locked.ancestor_revision_id === primary.revision_id) {
    return { revision: locked.revision_id, result: 'update' };
  }
  const id = row.change_request_id;
  const texts = bytesOf(merged.texts);
  const root = await storeChanges(ctx.db, {
    base: primary,
    changed: merged.changed,
    tree: merged.tree,
    texts,
  });
  const revisionId = newId();
  await insertRevision(ctx.db, {
    id: revisionId,
    spaceId: row.space_id,
    type: 'update',
    parents: [locked.revision_id, primary.revision_id],
    root: columnOf(root),
    authorId: ctx.caller.id,
  });
  await moveRequest(ctx.db, id, revisionId, primary.revision_id);
  await announceEdit(ctx, row, locked.revision_id, revisionId);
  await noteContribution(ctx.db, id, ctx.caller.id, 'edit');
  const load = withTexts(loaderOf(ctx.db, primary.store_id), texts);
  const proposed = await baseOf(ctx, primary.store_id, locked);
  const change = { before: proposed.tree, after: merged.tree, resolves: false };
  await carryConflicts(ctx.db, id, load, change);
  await insertConflicts(ctx.db, id, merged.conflicts);
  const hasConflicts = merged.conflicts.length > 0;
  return { revision: revisionId, result: hasConflicts ? 'conflicts' : 'update' };
}
