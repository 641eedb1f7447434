import type { Addresses } from '../../platform/api/context.ts';
import { presentUser } from '../users/index.ts';
import type { ChangeRequestRow } from './policy.ts';
import type { ContributorRow, ReviewerRow } from './people-store.ts';

/** Everything that does not depend on the address of the server: a merge stores it with the revision. */
export const presentStandalone = (row: ChangeRequestRow) => ({
  object: 'change-request' as const,
  id: row.change_request_id,
  number: row.number,
  status: row.status,
  subject: row.subject,
  description: row.description ?? undefined,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  space: row.space_id,
  revision: row.request_revision_id,
  revisionInitial: row.initial_revision_id,
  revisionMergedAncestor: row.ancestor_revision_id,
  revisionMerged: row.merged_revision_id ?? undefined,
  comments: row.open_comments,
  outdated: row.status !== 'merged' && row.ancestor_revision_id !== row.primary_revision_id,
});

export const presentChangeRequest = (row: ChangeRequestRow, addresses: Addresses) => ({
  ...presentStandalone(row),
  createdBy: presentUser(row.author, addresses),
  urls: {
    app: addresses.of(`/app/spaces/${row.space_id}/change-requests/${row.change_request_id}`),
    location: addresses.of(`/v1/spaces/${row.space_id}/change-requests/${row.change_request_id}`),
  },
});

export const presentContributor = (row: ContributorRow, addresses: Addresses) => ({
  updatedAt: row.updated_at.toISOString(),
  count: row.count,
  user: presentUser(row, addresses),
  actionType: row.action,
});

export const presentReviewer = (row: ReviewerRow, addresses: Addresses) => ({
  object: 'change-request-requested-reviewer' as const,
  revision: row.revision_id,
  requestedBy: presentUser(row.requested_by ?? row.user, addresses),
  createdAt: row.created_at.toISOString(),
  kind: 'user' as const,
  user: presentUser(row.user, addresses),
});
