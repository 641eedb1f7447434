import Type from 'typebox';
import type { Context } from '../../platform/api/context.ts';
import { ApiError } from '../../platform/api/errors.ts';
import { on, operation } from '../../platform/api/operation.ts';
import { idOf } from '../../platform/api/resource.ts';
import { ContentPath, queueOfRequest, requestContent, requirePending } from '../change-requests/index.ts';
import { primaryContent } from '../content/index.ts';
import { pageId, requireLive, type ContentRow } from '../revisions/index.ts';
import { queueOfSpace } from '../spaces/index.ts';
import { countImport, outcomeOf } from './counters.ts';
import { prepareImport } from './import-content.ts';
import type { PreparedImport } from './folder/prepare-folder.ts';
import { presentImport } from './present.ts';
import * as schema from './schema.ts';
import { writeToRequest, writeToSpace, type WrittenImport } from './folder/write-import.ts';

const SpacePath = Type.Object({ spaceId: idOf(primaryContent, 'view') });

const common = {
  method: 'POST',
  scope: 'space:write',
  body: schema.ImportContent,
  status: 201,
  response: schema.ImportContentResult,
  version: ({ revision_id }: ContentRow) => revision_id,
  isHeavy: true,
} as const;

const DESCRIPTION =
  'Adds the pages and files that the URL leads to, as one revision. Ends after 25 s: pages that were found and not read by ' +
  'then are skipped. `POST /v1/org/{organizationId}/imports` imports in the background. See the chapter Import of the handbook.';

const locationOf = ({ revision }: { revision: string }, { params }: { params: { spaceId: string } }) =>
  `/v1/spaces/${params.spaceId}/revisions/${revision}`;

interface ImportRequest {
  readonly ctx: Context;
  readonly body: schema.ImportContent;
  readonly signal: AbortSignal;
}

/** `prepare` runs before every transaction of an import. */
async function written(
  { ctx, body, signal, prepared }: ImportRequest & { readonly prepared: PreparedImport | undefined },
  write: (prepared: PreparedImport) => Promise<WrittenImport>,
) {
  if (!prepared) throw new Error('The import was not prepared');
  try {
    const result = await write(prepared);
    countImport(ctx, body.source, 'completed', result.pages.length);
    return presentImport(result);
  } catch (error) {
    // Other errors may be retried by the kernel, and are counted with the responses.
    if (error instanceof ApiError) countImport(ctx, body.source, outcomeOf(error, signal));
    throw error;
  }
}

interface SpaceImport extends ImportRequest {
  readonly target: ContentRow;
}

function prepareForSpace({ ctx, target, body, signal }: SpaceImport, page?: string): Promise<PreparedImport> {
  requireLive(target);
  return prepareImport(ctx, target, page, body, signal);
}

export const importContent = operation({
  ...common,
  path: '/v1/spaces/{spaceId}/content/import',
  summary: 'Import content into a space',
  description: `${DESCRIPTION} Requires \`editMode: live\`.`,
  params: SpacePath,
  access: on(primaryContent)('edit'),
  queue: queueOfSpace,
  location: locationOf,
  prepare: (request) => prepareForSpace(request),
  handle: (request) =>
    written(request, (content) => writeToSpace(request.ctx, request.target, undefined, content)),
});

export const importContentInPageById = operation({
  ...common,
  path: '/v1/spaces/{spaceId}/content/page/{pageId}/import',
  summary: 'Import content below a page of a space',
  description: `${DESCRIPTION} Requires \`editMode: live\`.`,
  params: Type.Object({ spaceId: idOf(primaryContent, 'view'), pageId }),
  access: on(primaryContent)('edit'),
  queue: queueOfSpace,
  location: locationOf,
  prepare: (request) => prepareForSpace(request, request.params.pageId),
  handle: (request) =>
    written(request, (content) => writeToSpace(request.ctx, request.target, request.params.pageId, content)),
});

export const importContentInChangeRequest = operation({
  ...common,
  path: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/import',
  summary: 'Import content into a change request',
  description: DESCRIPTION,
  params: ContentPath,
  access: on(requestContent)('edit'),
  queue: queueOfRequest,
  location: locationOf,
  prepare: async ({ ctx, target, body, signal }) => {
    requirePending(target.request_status);
    return prepareImport(ctx, target, undefined, body, signal);
  },
  handle: (request) =>
    written(request, (content) => writeToRequest(request.ctx, request.target, undefined, content)),
});

export const importContentInChangeRequestPageById = operation({
  ...common,
  path: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/import',
  summary: 'Import content below a page of a change request',
  description: DESCRIPTION,
  params: Type.Object({ ...ContentPath.properties, pageId }),
  access: on(requestContent)('edit'),
  queue: queueOfRequest,
  location: locationOf,
  prepare: async ({ ctx, target, params, body, signal }) => {
    requirePending(target.request_status);
    return prepareImport(ctx, target, params.pageId, body, signal);
  },
  handle: (request) =>
    written(request, (content) =>
      writeToRequest(request.ctx, request.target, request.params.pageId, content),
    ),
});
