import Type from 'typebox';
import { on, operation } from '../../../platform/api/operation.ts';
import { presentList } from '../../../platform/api/pagination.ts';
import { ListQuery, listOf } from '../../../platform/api/schema.ts';
import { readTree } from '../../content-store/index.ts';
import { Changes, changesBetween, ChangesQuery } from '../../revisions/index.ts';
import { queueOfSpace } from '../../spaces/index.ts';
import { resolve } from '../conflicts/resolve.ts';
import { mergeRequests } from './merge.ts';
import { changeRequests, requestContent, versionOf } from '../policy.ts';
import { presentConflict } from '../conflicts/present.ts';
import * as schema from '../schema.ts';
import { queueOfRequest } from '../store.ts';
import { updateFromSpace } from './update-from-space.ts';
import { pageOfConflicts } from '../conflicts/store.ts';

const may = on(changeRequests);

export const mergeChangeRequest = operation({
  method: 'POST',
  path: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/merge',
  summary: 'Merge a change request',
  description:
    'Three-way merge of the change request into the current content of the space. If it has conflicts (`result: conflicts`), ' +
    'nothing changes: update the change request, resolve its conflicts, and merge again. Unmet merge rules return 409.',
  scope: 'change-request:merge',
  params: schema.RequestPath,
  status: 200,
  response: schema.MergeResult,
  access: may('merge'),
  version: versionOf,
  queue: queueOfSpace,
  handleAll: mergeRequests,
});

export const updateChangeRequest = operation({
  method: 'POST',
  path: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/update',
  summary: 'Update a change request from its space',
  description:
    'Merges the current content of the space into the change request. Conflicting blocks keep both versions, that of the ' +
    'space first; conflicting fields keep the value of the change request. Resolve each conflict before you merge.',
  scope: 'space:write',
  params: schema.RequestPath,
  status: 200,
  response: schema.MergeResult,
  access: may('edit'),
  version: versionOf,
  queue: queueOfSpace,
  handle: ({ ctx, target }) => updateFromSpace(ctx, target),
});

export const listChangeRequestConflicts = operation({
  method: 'GET',
  path: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/conflicts',
  summary: 'List the unresolved conflicts of a change request',
  scope: 'space:read',
  params: schema.ContentPath,
  query: ListQuery,
  status: 200,
  response: listOf(schema.Conflict),
  access: on(requestContent)('view'),
  handle: async ({ ctx, target, page }) => {
    const tree = await readTree(ctx, target);
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
    'Chooses the version to keep. Editing the conflicting block or field resolves the conflict too. Send the ETag of the change ' +
    'request or of its content as `If-Match` to resolve it only if the content has not changed since.',
  scope: 'space:write',
  params: Type.Object({ ...schema.ContentPath.properties, conflictId: schema.conflictId }),
  body: schema.Resolution,
  status: 200,
  response: Type.Object({ revision: Type.String() }),
  access: on(requestContent)('edit'),
  version: (row) => row.revision_id,
  queue: queueOfRequest,
  handle: async ({ ctx, target, params, body }) => ({
    revision: await resolve(ctx, target, params.conflictId, body.use as 'primary'),
  }),
});

export const getChangeRequestChanges = operation({
  method: 'GET',
  path: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/changes',
  takesTurn: true,
  summary: 'List the changes of a change request',
  scope: 'space:read',
  params: schema.ContentPath,
  query: ChangesQuery,
  status: 200,
  response: Changes,
  access: on(requestContent)('view'),
  handle: ({ ctx, target, query }) => changesBetween(ctx, target, target.ancestor_revision_id, query.limit),
});
