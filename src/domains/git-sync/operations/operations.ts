import Type from 'typebox';
import { notFound } from '../../../platform/api/errors.ts';
import { on, operation } from '../../../platform/api/operation.ts';
import { presentList } from '../../../platform/api/pagination.ts';
import { idOf } from '../../../platform/api/resource.ts';
import { listOf } from '../../../platform/api/schema.ts';
import { GitInfo, presentGitInfo, spaces } from '../../spaces/index.ts';
import { gitOperations } from '../policy.ts';
import { presentOperation } from './present.ts';
import * as schema from '../schema.ts';
import { startOperation } from './start-operation.ts';
import { getLog, listOperations } from './store.ts';

const SpacePath = Type.Object({ spaceId: idOf(spaces, 'view') });
const OperationPath = Type.Object({
  spaceId: idOf(spaces, 'view'),
  gitOperationId: idOf(gitOperations, 'view'),
});

export const importGitRepository = operation({
  method: 'POST',
  path: '/v1/spaces/{spaceId}/git/import',
  summary: 'Import a Git repository',
  description:
    'Queues an import of a branch: one revision, or none if nothing changed. Changes of the space since the last ' +
    'synchronization are merged with it; what conflicts becomes a change request. The result is in the list of Git operations.',
  scope: 'space:write',
  params: SpacePath,
  body: schema.GitImport,
  status: 204,
  access: on(spaces)('triggerGitSync'),
  handle: ({ ctx, target, body }) => startOperation(ctx, target, 'import', body),
});

export const exportToGitRepository = operation({
  method: 'POST',
  path: '/v1/spaces/{spaceId}/git/export',
  summary: 'Export to a Git repository',
  description:
    'Queues an export to a branch: one commit, or none if nothing changed. Files that did not change, and files that do not ' +
    'belong to the space, stay as they are. The result is in the list of Git operations.',
  scope: 'space:write',
  params: SpacePath,
  body: schema.GitExport,
  status: 204,
  access: on(spaces)('triggerGitSync'),
  handle: ({ ctx, target, body }) => startOperation(ctx, target, 'export', body),
});

export const getSpaceGitInfo = operation({
  method: 'GET',
  path: '/v1/spaces/{spaceId}/git/info',
  summary: 'Get the Git repository of a space',
  description: 'The repository that the space was last synchronized with. 404 if there is none.',
  scope: 'space:read',
  params: SpacePath,
  status: 200,
  response: GitInfo,
  access: on(spaces)('view'),
  handle: async ({ target }) => {
    if (!target.git_sync) throw notFound('The Git repository of this space');
    return presentGitInfo(target.space_id, target.git_sync);
  },
});

export const listGitOperations = operation({
  method: 'GET',
  path: '/v1/spaces/{spaceId}/git/operations',
  summary: 'List the Git operations of a space',
  description: 'Imports and exports, the latest first. They are deleted 30 days after their end.',
  scope: 'space:read',
  params: SpacePath,
  query: schema.ListGitOperations,
  status: 200,
  response: listOf(schema.GitOperation),
  access: on(spaces)('triggerGitSync'),
  handle: async ({ ctx, target, query, page }) => {
    const { state, direction } = query;
    const filter = { spaceId: target.space_id, state, direction };
    const rows = await listOperations(ctx.db, ctx.caller.id, filter, page);
    return presentList(rows, (row) => presentOperation(row, ctx.addresses));
  },
});

export const getGitOperation = operation({
  method: 'GET',
  path: '/v1/spaces/{spaceId}/git/operations/{gitOperationId}',
  summary: 'Get a Git operation',
  description: 'With its log: what was changed or skipped, by file.',
  scope: 'space:read',
  params: OperationPath,
  status: 200,
  response: schema.GitOperation,
  version: ({ state }) => state,
  access: on(gitOperations)('view'),
  handle: async ({ ctx, target }) =>
    presentOperation(target, ctx.addresses, await getLog(ctx.db, target.git_operation_id)),
});
