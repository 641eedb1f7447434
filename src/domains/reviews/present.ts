import { presentComment, type CommentColumns, type Shown } from '../comments/index.ts';
import { presentUser } from '../users/index.ts';
import type { ReviewRow } from './policy.ts';

export function presentReview(row: ReviewRow, comment: CommentColumns | undefined, shown: Shown) {
  const { space_id: spaceId, change_request_id: requestId, review_id: id } = row;
  return {
    object: 'change-request-review' as const,
    id,
    revision: row.reviewed_revision_id,
    reviewer: presentUser(row.reviewer, shown.addresses),
    requestedBy: row.requester ? presentUser(row.requester, shown.addresses) : undefined,
    status: row.review_status,
    outdated: row.outdated,
    comment: comment ? presentComment({ ...comment, role: row.role }, shown, undefined) : undefined,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    urls: {
      location: shown.addresses.of(`/v1/spaces/${spaceId}/change-requests/${requestId}/reviews/${id}`),
    },
  };
}
