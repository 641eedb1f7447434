import Type from 'typebox';
import type { Context } from '../../platform/api/context.ts';
import { on, operation } from '../../platform/api/operation.ts';
import { presentList } from '../../platform/api/pagination.ts';
import { idOf } from '../../platform/api/resource.ts';
import { listOf } from '../../platform/api/schema.ts';
import { changeRequests, RequestPath } from '../change-requests/index.ts';
import { documentsOf, getReviewComments, type Shown } from '../comments/index.ts';
import { reviews } from './policy.ts';
import { presentReview } from './present.ts';
import * as schema from './schema.ts';
import * as store from './store.ts';
import { submitReview } from './submit.ts';

const shownTo = (ctx: Context, format: string | undefined): Shown => ({
  callerId: ctx.caller.id,
  addresses: ctx.addresses,
  format: format === 'document' ? 'document' : 'markdown',
});

export const getReviewsByChangeRequestId = operation({
  method: 'GET',
  path: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/reviews',
  summary: 'List the reviews of a change request',
  description: 'Newest first.',
  scope: 'space:read',
  params: RequestPath,
  query: schema.ReviewsQuery,
  status: 200,
  response: listOf(schema.Review),
  access: on(changeRequests)('view'),
  handle: async ({ ctx, target, query, page }) => {
    const { change_request_id: id } = target;
    const found = await store.listReviews(ctx.db, ctx.caller.id, id, query.outdated, page);
    const comments = await getReviewComments(
      ctx.db,
      found.rows.map((row) => row.review_id),
    );
    const texts = query.format === 'document' ? [...comments.values()].map(({ markdown }) => markdown) : [];
    const shown = { ...shownTo(ctx, query.format), documents: documentsOf(ctx, texts) };
    return presentList(found, (row) => presentReview(row, comments.get(row.review_id), shown));
  },
});

export const submitChangeRequestReview = operation({
  method: 'POST',
  path: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/reviews',
  summary: 'Submit a review of a change request',
  description:
    'Reviews the current content; when the content changes, the review becomes outdated. Send the ETag of the change request ' +
    'or of its content as `If-Match` to submit the review only if the content has not changed since you read it.',
  scope: 'space:write',
  params: RequestPath,
  body: schema.NewReview,
  status: 201,
  response: schema.Review,
  access: on(changeRequests)('review'),
  version: (row) => row.request_revision_id,
  handle: async ({ ctx, target, body }) => {
    const id = await submitReview(ctx, target, body);
    const comments = await getReviewComments(ctx.db, [id]);
    const row = await store.getReview(ctx.db, ctx.caller.id, id);
    return presentReview(row, comments.get(id), shownTo(ctx, undefined));
  },
});

export const getReviewById = operation({
  method: 'GET',
  path: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/reviews/{reviewId}',
  summary: 'Get a review of a change request',
  scope: 'space:read',
  params: Type.Object({ ...RequestPath.properties, reviewId: idOf(reviews, 'view') }),
  query: schema.ReviewQuery,
  status: 200,
  response: schema.Review,
  access: on(reviews)('view'),
  version: (row) => `${row.reviewed_revision_id}-${row.updated_at.getTime()}`,
  handle: async ({ ctx, target, query }) => {
    const comments = await getReviewComments(ctx.db, [target.review_id]);
    return presentReview(target, comments.get(target.review_id), shownTo(ctx, query.format));
  },
});
