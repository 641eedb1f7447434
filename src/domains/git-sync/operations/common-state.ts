import type { Database } from '../../../platform/database/connection.ts';
import { findVersions } from '../../change-requests/index.ts';
import type { ClaimedOperation } from './store.ts';
import { findState, putState, type SyncState } from './state-store.ts';

/**
 * What the space and the branch have in common. A commit that conflicted with the space becomes part of it when its
 * change request was merged.
 */
export async function findCommonState(
  db: Database,
  { space_id: spaceId, request, ordered_at: orderedAt }: ClaimedOperation,
): Promise<SyncState | undefined> {
  const state = await findState(db, spaceId, request);
  if (!state?.pending) return state;
  const found = await findVersions(db, state.pending.changeRequestId);
  if (found?.status === 'draft' || found?.status === 'open') return state;
  // An archived request decides nothing: the commit is compared again.
  if (found?.status !== 'merged') return { ...state, pending: undefined };
  await putState(db, spaceId, request, state.pending, orderedAt);
  return findState(db, spaceId, request);
}
