import Type, { type Static } from 'typebox';
import { toPublishedForm, type JSONDocument } from '../../content-engine/document/index.ts';
import { parseDocument, toMarkdown } from '../../content-engine/markdown/index.ts';
import { badRequest, notFound } from '../../platform/api/errors.ts';
import { on, operation } from '../../platform/api/operation.ts';
import { presentList } from '../../platform/api/pagination.ts';
import { idOf, requireMay } from '../../platform/api/resource.ts';
import { ListQuery, listOf } from '../../platform/api/schema.ts';
import { sentDocument } from '../content/index.ts';
import { members } from '../members/index.ts';
import { organizations } from '../organizations/index.ts';
import { queueOfSpace, spaces } from '../spaces/index.ts';
import { createRequests } from './create.ts';
import { recordEvent, type ChangeRequestStatus } from '../events/index.ts';
import { changeRequests, versionOf } from './policy.ts';
import { presentChangeRequest, presentContributor, presentReviewer } from './present.ts';
import * as schema from './schema.ts';
import { changeStatus, requirePending } from './status.ts';
import * as people from './people-store.ts';
import * as store from './store.ts';

const SpacePath = Type.Object({ spaceId: idOf(spaces, 'view') });
const may = on(changeRequests);

const filterOf = ({
  status,
  creator,
  contributor,
  requestedReviewer,
}: Static<typeof schema.ChangeRequestsQuery>) => ({
  statuses: status as ChangeRequestStatus[] | undefined,
  creator,
  contributor,
  requestedReviewer,
});

/** Normalises a description, so that the answer is what later reads return. */
const readDescription = (description: object | null | undefined): JSONDocument | null | undefined =>
  description
    ? toPublishedForm(parseDocument(toMarkdown(sentDocument(description, 'body.description'))))
    : description;

export const listChangeRequests = operation({
  method: 'GET',
  path: '/v1/spaces/{spaceId}/change-requests',
  summary: 'List the change requests of a space',
  description: 'Newest first. Lists open change requests unless `status` is given.',
  scope: 'space:read',
  params: SpacePath,
  query: schema.ChangeRequestsQuery,
  status: 200,
  response: listOf(schema.ChangeRequest),
  access: on(spaces)('view'),
  handle: async ({ ctx, target, query, page }) => {
    const filter = { spaceId: target.space_id, ...filterOf(query) };
    const rows = await store.listChangeRequests(ctx.db, ctx.caller.id, filter, page);
    return presentList(rows, (row) => presentChangeRequest(row, ctx.addresses));
  },
});

export const listChangeRequestsForOrganization = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/change-requests',
  summary: 'List the change requests of an organization',
  description:
    'Newest first, across all spaces that you may view. Lists open change requests unless `status` is given.',
  scope: 'organization:read',
  params: Type.Object({ organizationId: idOf(organizations, 'view') }),
  query: schema.OrganizationChangeRequestsQuery,
  status: 200,
  response: listOf(schema.ChangeRequest),
  access: on(organizations)('view'),
  handle: async ({ ctx, target, query, page }) => {
    const filter = { organizationId: target.organization_id, spaceId: query.space, ...filterOf(query) };
    const rows = await store.listChangeRequests(ctx.db, ctx.caller.id, filter, page);
    return presentList(rows, (row) => presentChangeRequest(row, ctx.addresses));
  },
});

export const createChangeRequest = operation({
  method: 'POST',
  path: '/v1/spaces/{spaceId}/change-requests',
  summary: 'Create a change request',
  description: 'Creates a draft from the current content of the space.',
  scope: 'space:write',
  params: SpacePath,
  body: schema.NewChangeRequest,
  bodyOptional: true,
  status: 201,
  response: schema.ChangeRequest,
  access: on(spaces)('edit'),
  queue: queueOfSpace,
  handleAll: async (requests) => {
    const { addresses } = requests[0].ctx;
    const rows = await createRequests(requests);
    return rows.map((row) => ({ status: 'fulfilled', value: presentChangeRequest(row, addresses) }));
  },
});

export const getChangeRequestById = operation({
  method: 'GET',
  path: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}',
  summary: 'Get a change request',
  description: 'Accepts the id or the number of the change request.',
  scope: 'space:read',
  params: schema.RequestPath,
  status: 200,
  response: schema.ChangeRequest,
  access: may('view'),
  version: versionOf,
  handle: async ({ ctx, target }) => presentChangeRequest(target, ctx.addresses),
});

const isArchiving = ({ status, ...rest }: Static<typeof schema.ChangeRequestPatch>): boolean =>
  status === 'archived' && Object.keys(rest).length === 0;

export const updateChangeRequestById = operation({
  method: 'PATCH',
  path: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}',
  summary: 'Update a change request',
  description: 'Changes the subject, the description or the status. The author may always archive it.',
  scope: 'space:write',
  params: schema.RequestPath,
  body: schema.ChangeRequestPatch,
  status: 200,
  response: schema.ChangeRequest,
  access: may('archive'),
  version: versionOf,
  handle: async ({ ctx, target, body }) => {
    if (!isArchiving(body)) {
      requireMay(
        changeRequests,
        'edit',
        target,
        ctx.caller.id,
        'change this change request, except to archive it',
      );
    }
    if (body.status) await changeStatus(ctx, target, body.status);
    const { subject, description } = body;
    await store.setTexts(ctx.db, target.change_request_id, {
      subject,
      description: readDescription(description),
    });
    const row = await store.getChangeRequest(ctx.db, ctx.caller.id, target.change_request_id);
    return presentChangeRequest(row, ctx.addresses);
  },
});

export const listContributorsForChangeRequest = operation({
  method: 'GET',
  path: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/contributors',
  summary: 'List the contributors of a change request',
  scope: 'space:read',
  params: schema.RequestPath,
  query: ListQuery,
  status: 200,
  response: listOf(schema.Contributor),
  access: may('view'),
  handle: async ({ ctx, target, page }) =>
    presentList(await people.listContributors(ctx.db, target.change_request_id, page), (row) =>
      presentContributor(row, ctx.addresses),
    ),
});

export const getRequestedReviewersByChangeRequestId = operation({
  method: 'GET',
  path: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers',
  summary: 'List the requested reviewers of a change request',
  scope: 'space:read',
  params: schema.RequestPath,
  query: ListQuery,
  status: 200,
  response: listOf(schema.RequestedReviewer),
  access: may('view'),
  handle: async ({ ctx, target, page }) =>
    presentList(await people.listReviewers(ctx.db, target.change_request_id, page), (row) =>
      presentReviewer(row, ctx.addresses),
    ),
});

export const requestReviewersForChangeRequest = operation({
  method: 'POST',
  path: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers',
  summary: 'Request reviews of a change request',
  description:
    'Reviewers must be members who may view the space. Opens a draft. Requires the role review, or edit on your own change request.',
  scope: 'space:write',
  params: schema.RequestPath,
  body: schema.NewReviewers,
  status: 200,
  response: schema.RequestedReviewers,
  access: may('requestReview'),
  handle: async ({ ctx, target, body, refs }) => {
    const { change_request_id: id, space_id: spaceId } = target;
    const { status, revision_id: revisionId } = await store.lockChangeRequest(ctx.db, id);
    requirePending(status);
    const users = body.users.map((each) => refs.of(members, each).user_id);
    const [blind] = await people.listWithoutAccess(ctx.db, spaceId, users);
    if (blind) {
      throw badRequest(`${blind} may not view this space and cannot be a reviewer.`, [
        { path: 'body.users', rule: 'must be members who may view the space' },
      ]);
    }
    if (status === 'draft') await changeStatus(ctx, target, 'open');
    await store.setTexts(ctx.db, id, {
      subject: body.subject,
      description: readDescription(body.description),
    });
    await people.putReviewers(ctx.db, id, revisionId, ctx.caller.id, users);
    await recordEvent(ctx.db, {
      type: 'change_request_reviewers_requested',
      organizationId: target.organization_id,
      spaceId,
      data: { changeRequestId: id, userIds: users, requestedBy: ctx.caller.id },
    });
    const rows = await people.getReviewers(ctx.db, id, users);
    return { users: rows.map((row) => presentReviewer(row, ctx.addresses)) };
  },
});

export const removeRequestedReviewerFromChangeRequest = operation({
  method: 'DELETE',
  path: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers/{userId}',
  summary: 'Remove a requested reviewer',
  scope: 'space:write',
  params: Type.Object({ ...schema.RequestPath.properties, userId: schema.reviewerId }),
  status: 205,
  access: may('requestReview'),
  handle: async ({ ctx, target, params: { userId } }) => {
    if (!(await people.deleteReviewer(ctx.db, target.change_request_id, userId))) {
      throw notFound('Requested reviewer');
    }
  },
});
