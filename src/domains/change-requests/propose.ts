import type { NodeHash } from '../../content-engine/map/index.ts';
import type { Context } from '../../platform/api/context.ts';
import type { SpaceRow } from '../spaces/index.ts';
import { addRevision } from './add-revision.ts';
import { createRequests } from './create.ts';
import { changeStatus } from './status.ts';
import { findChangeRequest } from './store.ts';

/** Content that was made outside of change requests, such as by an import. */
export interface Proposed {
  readonly subject: string;
  readonly root: NodeHash;
  /** The revision of the space that it is based on. */
  readonly ancestorId: string;
}

const MAX_SUBJECT = 100;

/**
 * Opens a change request that proposes the content. `earlier` is a request for an older version of it, which is updated
 * instead, unless it was edited, merged or archived since.
 */
export async function proposeContent(
  ctx: Context,
  space: SpaceRow,
  { subject, root, ancestorId }: Proposed,
  earlier?: { readonly changeRequestId: string; readonly revisionId: string },
): Promise<{ readonly changeRequestId: string; readonly number: number; readonly revisionId: string }> {
  const known = earlier && (await findChangeRequest(ctx.db, ctx.caller.id, earlier.changeRequestId));
  const isUnchanged =
    known?.request_revision_id === earlier?.revisionId &&
    (known?.status === 'open' || known?.status === 'draft');
  const creation = { ctx, target: space, body: { subject: subject.slice(0, MAX_SUBJECT) } };
  const row = known && isUnchanged ? known : (await createRequests([creation]))[0];
  if (!row) throw new Error('No change request was created');
  const parents = [row.request_revision_id] as const;
  const revisionId = await addRevision(ctx, row, { type: 'edits', parents, root, ancestorId });
  await changeStatus(ctx, row, 'open');
  return { changeRequestId: row.change_request_id, number: row.number, revisionId };
}
