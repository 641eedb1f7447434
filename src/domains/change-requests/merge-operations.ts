import Type from 'typebox';
import { on, operation } from '../../platform/api/operation.ts';
import { presentList } from '../../platform/api/pagination.ts';
import { ListQuery, listOf } from '../../platform/api/schema.ts';
import { Changes, changesBetween, ChangesQuery, loaderOf, rootOf, treeAt } from '../revisions/index.ts';
import { resolve } from './conflicts/resolve.ts';
import { mergeRequests } from './merge.ts';
import { changeRequests, requestContent, versionOf } from './policy.ts';
import { presentConflict } from './conflicts/present.ts';
import * as schema from './schema.ts';
import { updateFromSpace } from './update-from-space.ts';
import { pageOfConflicts } from './conflicts/store.ts';

const may = on(changeRequests);

export const mergeChangeRequest = operation({
  method: 'POST',
  path: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/merge',
  summary: 'Merge a change request',
  description:
    'What it proposes becomes what the space shows, together with what came there meanwhile. With conflicts ' +
    '(`result: conflicts`) nothing changes: `update` the request, and resolve them. Unmet merge rules are a 409.',
  scope: 'change-request:merge',
  params: schema.RequestPath,
  status: 200,
  response: schema.MergeResult,
  access: may('merge'),
  version: versionOf,
  queue: ({ spaceId }) => spaceId,
  handleAll: mergeRequests,
});

export const updateChangeRequest = operation({
  method: 'POST',
  path: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/update',
  summary: 'Bring what the space shows into a change request',
  description:
    'Of a block that both sides changed, both versions stand, first that of the space; of a field, that of the request. ' +
    'Each such place is a conflict, to be resolved before a merge.',
  scope: 'space:write',
  params: schema.RequestPath,
  status: 200,
  response: schema.MergeResult,
  access: may('edit'),
  version: versionOf,
  queue: ({ spaceId }) => spaceId,
  handle: ({ ctx, target }) => updateFromSpace(ctx, target),
});

export const listChangeRequestConflicts = operation({
  method: 'GET',
  path: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/conflicts',
  summary: 'List the conflicts of a change request that are not resolved',
  scope: 'space:read',
  params: schema.ContentPath,
  query: ListQuery,
  status: 200,
  response: listOf(schema.Conflict),
  access: on(requestContent)('view'),
  handle: async ({ ctx, target, page }) => {
    const tree = await treeAt(loaderOf(ctx.db, target.store_id), rootOf(target));
    return presentList(await pageOfConflicts(ctx.db, target.change_request_id, page), (row) =>
      presentConflict(ctx, target.space_id, tree, row),
    );
  },
});

export const resolveChangeRequestConflict = operation({
  method: 'POST',
  path: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/conflicts/{conflictId}',
  summary: 'Resolve a conflict of a change request',
  description:
    'By choosing what stands. An edit of that very block or field resolves it too. `If-Match` with the ETag of the change ' +
    'request or of its content: only if it proposes what you read.',
  scope: 'space:write',
  params: Type.Object({ ...schema.ContentPath.properties, conflictId: schema.conflictId }),
  body: schema.Resolution,
  status: 200,
  response: Type.Object({ revision: Type.String() }),
  access: on(requestContent)('edit'),
  version: (row) => row.revision_id,
  queue: ({ spaceId, changeRequestId }) => `${spaceId} ${changeRequestId}`,
  handle: async ({ ctx, target, params, body }) => ({
    revision: await resolve(ctx, target, params.conflictId, body.use as 'primary'),
  }),
});

export const getChangeRequestChanges = operation({
  method: 'GET',
  path: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/changes',
  summary: 'List what a change request changes',
  scope: 'space:read',
  params: schema.ContentPath,
  query: ChangesQuery,
  status: 200,
  response: Changes,
  access: on(requestContent)('view'),
  handle: ({ ctx, target, query }) => changesBetween(ctx, target, target.ancestor_revision_id, query.limit),
});
