import type { Context } from '../../platform/api/context.ts';
import { conflict } from '../../platform/api/errors.ts';
import { recordEvent, type ChangeRequestStatus } from '../events/index.ts';
import type { ChangeRequestRow } from './policy.ts';
import { lockChangeRequest, setStatus } from './store.ts';

/** The possible transitions. Only a merge sets `merged`, which is final. */
const NEXT: Readonly<Record<ChangeRequestStatus, readonly ChangeRequestStatus[]>> = {
  draft: ['open', 'archived'],
  open: ['draft', 'archived'],
  archived: ['draft', 'open'],
  merged: [],
};

export async function changeStatus(
  ctx: Context,
  row: ChangeRequestRow,
  to: ChangeRequestStatus,
): Promise<void> {
  const { status } = await lockChangeRequest(ctx.db, row.change_request_id);
  if (status === to) return;
  if (!NEXT[status].includes(to)) {
    throw conflict(`A change request that is ${status} cannot become ${to}.`);
  }
  const { organization_id: organizationId, space_id: spaceId, change_request_id: id } = row;
  await setStatus(ctx.db, { spaceId, id }, status, to);
  await recordEvent(ctx.db, {
    type: 'change_request_status_changed',
    organizationId,
    spaceId,
    data: { changeRequestId: id, from: status, to, userId: ctx.caller.id },
  });
}

/** Drafts and open requests can still change. */
export function requirePending(status: ChangeRequestStatus): void {
  if (status === 'draft' || status === 'open') return;
  throw conflict(
    status === 'merged'
      ? 'This change request is merged. Create a new one for further changes.'
      : 'This change request is archived. Reopen it first (PATCH `status`).',
  );
}
