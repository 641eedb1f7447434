import Type from 'typebox';
import { conflict } from '../../../platform/api/errors.ts';
import { on, operation } from '../../../platform/api/operation.ts';
import { presentList } from '../../../platform/api/pagination.ts';
import { idOf } from '../../../platform/api/resource.ts';
import { listOf } from '../../../platform/api/schema.ts';
import { primaryContent, uploadTargets } from '../../content/index.ts';
import { importRuns, requestTargets } from '../policy.ts';
import { presentRun } from '../present.ts';
import * as schema from '../schema.ts';
import { startRun } from './start-run.ts';
import { cancelRun, getRun, getRunLists, listRuns } from './store.ts';

const OrganizationPath = Type.Object({ organizationId: idOf(uploadTargets, 'view') });
const RunPath = Type.Object({
  organizationId: idOf(uploadTargets, 'view'),
  importRunId: idOf(importRuns, 'view'),
});

export const startImportRun = operation({
  method: 'POST',
  path: '/v1/org/{organizationId}/imports',
  summary: 'Import content in the background',
  description:
    'Imports a website, uploaded files, or any other source of `content/import` (type `url`) into a space or a change ' +
    'request, as one revision or none. Poll the run for its progress. At most 10 runs of an organization are unfinished.',
  scope: 'space:write',
  params: OrganizationPath,
  body: schema.StartImportRun,
  status: 201,
  response: schema.ImportRun,
  // The ids of the body decide.
  access: on(uploadTargets)('view'),
  handle: async ({ ctx, target, body, refs }) => {
    const { space, changeRequest } = body.target;
    const rows = {
      space: refs.of(primaryContent, space),
      request: changeRequest === undefined ? undefined : refs.of(requestTargets, changeRequest),
    };
    return presentRun(await startRun(ctx, target.organization_id, rows, body), ctx.addresses);
  },
});

export const listImportRuns = operation({
  method: 'GET',
  path: '/v1/org/{organizationId}/imports',
  summary: 'List imports in the background',
  description:
    'Returns the runs of spaces that you may edit, the latest first. Runs are deleted 30 days after their end.',
  scope: 'space:read',
  params: OrganizationPath,
  query: schema.ListImportRuns,
  status: 200,
  response: listOf(schema.ImportRun),
  access: on(uploadTargets)('view'),
  handle: async ({ ctx, target, query, page }) => {
    const filter = {
      organizationId: target.organization_id,
      status: query.status,
      spaceId: query.space,
    };
    const found = await listRuns(ctx.db, ctx.caller.id, filter, page);
    return presentList(found, (row) => presentRun(row, ctx.addresses));
  },
});

export const getImportRun = operation({
  method: 'GET',
  path: '/v1/org/{organizationId}/imports/{importRunId}',
  summary: 'Get an import in the background',
  scope: 'space:read',
  params: RunPath,
  status: 200,
  response: schema.ImportRun,
  version: ({ status }) => status,
  access: on(importRuns)('view'),
  handle: async ({ ctx, target }) =>
    presentRun(target, ctx.addresses, await getRunLists(ctx.db, target.import_run_id)),
});

export const cancelImportRun = operation({
  method: 'POST',
  path: '/v1/org/{organizationId}/imports/{importRunId}/cancel',
  summary: 'Cancel an import in the background',
  description:
    'A cancelled run writes no revision. You may cancel your own runs; those of others require the role review. A run ' +
    'that has ended cannot be cancelled (409).',
  scope: 'space:write',
  params: RunPath,
  status: 201,
  response: schema.ImportRun,
  access: on(importRuns)('cancel'),
  handle: async ({ ctx, target }) => {
    const { import_run_id: id } = target;
    const isCancelled = await cancelRun(ctx.db, id);
    const row = await getRun(ctx.db, ctx.caller.id, id);
    if (!isCancelled) throw conflict(`The import run is already ${row.status}.`);
    return presentRun(row, ctx.addresses);
  },
});
