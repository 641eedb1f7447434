import type { Static } from 'typebox';
import type { Context } from '../../platform/api/context.ts';
import { conflict } from '../../platform/api/errors.ts';
import {
  requiresReviews,
  getMergeFacts,
  lockChangeRequest,
  requirePending,
  type ChangeRequestRow,
} from '../change-requests/index.ts';
import { postWithReview } from '../comments/index.ts';
import { recordEvent } from '../events/index.ts';
import type { NewReview } from './schema.ts';
import { insertReview } from './store.ts';

/** Reviews the proposed revision, optionally with a comment. */
export async function submitReview(
  ctx: Context,
  request: ChangeRequestRow,
  { status, comment }: Static<typeof NewReview>,
): Promise<string> {
  const { change_request_id: requestId, space_id: spaceId, organization_id: organizationId } = request;
  const locked = await lockChangeRequest(ctx.db, requestId);
  requirePending(locked.status);
  if (request.author_id === ctx.caller.id && requiresReviews(await getMergeFacts(ctx.db, requestId))) {
    throw conflict('The merge rules require reviews. You cannot review your own change request.');
  }
  const reviewId = await insertReview(ctx.db, requestId, ctx.caller.id, status as 'approved');
  if (comment && Object.keys(comment).length > 0) {
    const place = { spaceId, changeRequestId: requestId };
    await postWithReview(ctx, { id: reviewId, revisionId: locked.revision_id, place }, comment);
  }
  await recordEvent(ctx.db, {
    type: 'change_request_reviewed',
    organizationId,
    spaceId,
    data: { changeRequestId: requestId, reviewId, status, reviewerId: ctx.caller.id },
  });
  return reviewId;
}
