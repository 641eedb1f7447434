import { changeRequests } from '../change-requests/index.ts';
import { rowsInside } from '../spaces/index.ts';
import { userOf, type UserColumns } from '../users/index.ts';
import { leastRole, resource, type Authorised } from '../access/index.ts';

export interface ReviewRow extends Authorised {
  readonly organization_id: string;
  readonly space_id: string;
  readonly change_request_id: string;
  readonly change_request_number: string;
  readonly review_id: string;
  readonly reviewed_revision_id: string;
  readonly review_status: 'approved' | 'changes-requested';
  readonly outdated: boolean;
  readonly reviewer: UserColumns;
  readonly requester: UserColumns | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** A review is outdated when another revision is proposed than the one it is about. */
export const reviews = resource<ReviewRow>()({
  name: 'Review',
  key: 'review_id',
  rows: rowsInside(
    `cr.id as change_request_id, cr.number::text as change_request_number, w.id as review_id,
     w.revision_id as reviewed_revision_id, w.status as review_status, w.revision_id <> cr.revision_id as outdated,
     ${userOf('w.reviewer_id')} as reviewer, ${userOf('w.requested_by')} as requester, w.created_at, w.updated_at`,
    `join change_requests cr on cr.space_id = s.id
     join change_request_reviews w on w.change_request_id = cr.id`,
  ),
  match: 'w.id = any(:ids) and (cr.id = :within or cr.number::text = :within)',
  within: changeRequests,
  needs: { view: leastRole.view },
});
