import {
  mergeContent,
  type Conflict,
  type Merged,
  type RunBodyTasks,
} from '../../../content-engine/merge/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { conflict, notFound } from '../../../platform/api/errors.ts';
import { newId } from '../../../platform/api/ids.ts';
import type { Several } from '../../../platform/api/operation.ts';
import { captureRefusals } from '../../../platform/api/refusals.ts';
import { readTree, rootOf, type Content, type StorageContext } from '../../content-store/index.ts';
import { Publishing } from '../../revisions/index.ts';
import { looseLinksIn, pinLinks } from '../../content/index.ts';
import { recordEvent, type ChangeRequestStatus } from '../../events/index.ts';
import { DELETED_USER } from '../../users/index.ts';
import type { ChangeRequestRow } from '../policy.ts';
import { presentStandalone } from '../present.ts';
import { requireRules } from './merge-rules.ts';
import { bodyTasksFor } from './run-body-tasks.ts';
import { requirePending } from '../status.ts';
import {
  getChangeRequest,
  lockWithSpace,
  setStatus,
  wasUpdated,
  type LockedWithSpace,
  type RequestVersions,
} from '../store.ts';

export interface MergeResult {
  readonly revision: string;
  readonly result: 'merge' | 'update' | 'conflicts';
}

export interface MergeRequest {
  readonly ctx: Context;
  readonly target: ChangeRequestRow;
}

/** Locks the space and requests of it, so that each is merged once, into the present content of the space. */
export async function lockToMerge(ctx: StorageContext, spaceId: string, ids: readonly string[]) {
  const locked = await lockWithSpace(ctx.db, spaceId, ids);
  const [any] = locked.values();
  if (!any) throw notFound('Change request');
  return { locked, publishing: await publishingOf(ctx, spaceId, any) };
}

/** The present content of the space, to merge requests into it. */
export async function publishingOf(
  ctx: StorageContext,
  spaceId: string,
  { store_id, primary_revision_id: revision_id, primary_root: root }: RequestVersions,
): Promise<Publishing> {
  const tree = await readTree(ctx, { store_id, root });
  return new Publishing(ctx, spaceId, { store_id, revision_id, root, tree });
}

/** Merges a request with the content that the space is about to show. Conflicts may be open. */
export const mergeWithSpace = (
  publishing: Publishing,
  locked: RequestVersions,
  run: RunBodyTasks,
  open: readonly Conflict[] = [],
): Promise<Merged> =>
  mergeContent(
    publishing.load,
    {
      ancestor: rootOf({ root: locked.ancestor_root }),
      primary: rootOf(publishing.base),
      proposed: rootOf(locked),
    },
    publishing.base.tree,
    { open, run },
  );

/** Merges requests into their space, one after another. A request that cannot be merged changes nothing. */
export async function mergeRequests(
  requests: Several<MergeRequest>,
): Promise<PromiseSettledResult<MergeResult>[]> {
  const ids = requests.map(({ target }) => target.change_request_id);
  const [{ ctx, target }] = requests;
  const { locked, publishing } = await lockToMerge(ctx, target.space_id, ids);
  const merged = new Set<string>();
  const settled = await captureRefusals(requests, async (request): Promise<MergeResult> => {
    const id = request.target.change_request_id;
    const found = locked.get(id);
    if (!found) throw notFound('Change request');
    requirePending(merged.has(id) ? 'merged' : found.status);
    const result = await merge(publishing, request, found);
    if (result.result === 'merge') merged.add(id);
    return result;
  });
  await publishing.write();
  for (const [index, request] of requests.entries()) {
    const result = settled[index];
    if (result?.status !== 'fulfilled' || result.value.result !== 'merge') continue;
    const { status } = locked.get(request.target.change_request_id) ?? request.target;
    await recordMerge(request, status, result.value.revision);
  }
  return settled;
}

async function recordMerge(
  { ctx, target }: MergeRequest,
  status: ChangeRequestStatus,
  revisionId: string,
): Promise<void> {
  const { organization_id: organizationId, space_id: spaceId, change_request_id: id } = target;
  await setStatus(ctx.db, { spaceId, id }, status, 'merged', revisionId);
  await recordEvent(ctx.db, {
    type: 'change_request_merged',
    organizationId,
    spaceId,
    data: { changeRequestId: id, revisionId, mergedBy: ctx.caller.id },
  });
}

async function merge(
  publishing: Publishing,
  { ctx, target: row }: MergeRequest,
  locked: LockedWithSpace,
): Promise<MergeResult> {
  const run = bodyTasksFor(ctx, publishing.base.tree);
  const merged = await mergeWithSpace(publishing, locked, run);
  const hasConflicts = locked.has_conflicts || merged.conflicts.length > 0;
  // Deleting an entry that the space changed is a proposal, too, although the merge cannot apply it. After an update, a merge
  // records that the space keeps its own version: a branch that waits for the request is synchronized again.
  if (merged.changed.size === 0 && !hasConflicts && !(await wasUpdated(ctx.db, locked.revision_id))) {
    throw conflict('There is nothing to merge: the change request does not change the content of the space.');
  }
  const isAsItWas = locked.version === row.version;
  const now = isAsItWas ? row : await getChangeRequest(ctx.db, ctx.caller.id, row.change_request_id);
  requireRules(ctx, locked, publishing.base.revision_id, now);
  if (hasConflicts) return { revision: locked.revision_id, result: 'conflicts' };
  const id = newId();
  const { tree, changed, texts } = await pinMerged(ctx, publishing, merged);
  const revision = await publishing.add({
    id,
    authorId: ctx.caller.id,
    type: 'merge',
    changed,
    tree,
    texts,
    mergedRevisions: [locked.revision_id],
    mergedFrom: {
      ...presentStandalone(now),
      createdBy: now.author ?? DELETED_USER,
      status: 'merged',
      revisionMerged: id,
      outdated: false,
    },
  });
  return { revision, result: 'merge' };
}

/** Links of the space to what the merge moves follow it. */
export async function pinMerged<C extends Content>(
  ctx: StorageContext,
  { load, spaceId, base, unindexed }: Publishing,
  merged: C,
): Promise<C> {
  const texts = new Map(merged.texts);
  const find = looseLinksIn({
    ctx,
    load,
    spaceId,
    tree: base.tree,
    unindexed: async () => unindexed,
  });
  return pinLinks(ctx, find, load, base.tree, { ...merged, texts }, texts);
}
