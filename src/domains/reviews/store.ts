import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import { visibleRows } from '../../platform/database/visible-rows.ts';
import { newId } from '../../platform/api/ids.ts';
import { fetchPage, type PageRequest } from '../../platform/api/pagination.ts';
import { reactionBytes } from '../comments/index.ts';
import { reviews, type ReviewRow } from './policy.ts';

/** Reviews the proposed revision. Who requested the review is stored with it. */
export async function insertReview(
  db: Database,
  changeRequestId: string,
  reviewerId: string,
  status: ReviewRow['review_status'],
): Promise<string> {
  const id = newId();
  await sql`
    insert into change_request_reviews (id, change_request_id, revision_id, reviewer_id, requested_by, status)
    select ${id}, cr.id, cr.revision_id, ${reviewerId}, r.requested_by, ${status}
    from change_requests cr
    left join change_request_reviewers r on r.change_request_id = cr.id and r.user_id = ${reviewerId}
    where cr.id = ${changeRequestId}`.execute(db);
  return id;
}

export const getReview = (db: Database, callerId: string, id: string): Promise<ReviewRow> =>
  visibleRows(db, reviews, callerId).selectAll().where('review_id', '=', id).executeTakeFirstOrThrow();

/** A page shows the comments of its reviews, too. */
const COMMENT_BYTES = `
  coalesce((select sum(k.text_bytes + ${reactionBytes('k.id')}) from comments k where k.review_id = row.review_id), 0)`;

/** The latest first. */
export function listReviews(
  db: Database,
  callerId: string,
  changeRequestId: string,
  outdated: boolean | undefined,
  page: PageRequest,
) {
  const rows = visibleRows(db, reviews, callerId)
    .selectAll()
    .where('change_request_id', '=', changeRequestId);
  return fetchPage(outdated === undefined ? rows : rows.where('outdated', '=', outdated), page, {
    by: ['created_at', 'review_id'],
    direction: 'desc',
    key: (row: ReviewRow) => [row.created_at.toISOString(), row.review_id],
    size: { db, of: sql.raw(COMMENT_BYTES) },
  });
}
