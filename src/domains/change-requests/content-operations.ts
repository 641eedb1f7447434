import Type from 'typebox';
import { on, operation } from '../../platform/api/operation.ts';
import {
  Batch,
  BATCH_JSON_LIMITS,
  mayInsertFiles,
  Edited,
  MAX_BATCH,
  presentOutcomes,
  storeFilesOf,
} from '../content/index.ts';
import { contentOperations } from '../revisions/index.ts';
import { editRequest } from './edit.ts';
import { requestContent } from './policy.ts';
import { presentChangeRequest } from './present.ts';
import { ChangeRequest, ContentPath } from './schema.ts';
import { requirePending } from './status.ts';
import { getChangeRequest, queueOfRequest } from './store.ts';

const proposed = contentOperations({
  prefix: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content',
  params: ContentPath,
  access: on(requestContent)('view'),
  of: 'a change request',
});
export const getRevisionOfChangeRequestById = proposed.revision;
export const listPagesInChangeRequest = proposed.pages;
export const listFilesInChangeRequestById = proposed.files;
export const getFileInChangeRequestById = proposed.file;
export const getPageInChangeRequestById = proposed.page;
export const getPageInChangeRequestByPath = proposed.pageByPath;
export const getPageDocumentInChangeRequestById = proposed.pageDocument;
export const listChangeRequestPageMetaLinks = proposed.metaLinks;
export const getReusableContentInChangeRequestById = proposed.reusableContent;
export const getReusableContentDocumentInChangeRequestById = proposed.reusableContentDocument;

export const updateChangeRequestContent = operation({
  method: 'POST',
  path: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content',
  summary: 'Edit the content of a change request',
  description:
    'Applies a batch of changes, as for the content of a space. Returns the change request; with `compat=false`, the applied ' +
    'changes together with the change request. Send the ETag of the change request or of its content as `If-Match` to apply ' +
    'the batch only if the content has not changed since.',
  scope: 'space:write',
  params: ContentPath,
  query: Type.Object({
    compat: Type.Optional(
      Type.Boolean({ default: true, description: '`false` returns the applied changes and warnings, too' }),
    ),
  }),
  body: Batch,
  bodyLimit: MAX_BATCH,
  jsonLimits: BATCH_JSON_LIMITS,
  status: 200,
  response: Type.Union([
    ChangeRequest,
    Type.Object({ ...Edited.properties, changeRequest: ChangeRequest }, { title: 'ChangeRequestEdited' }),
  ]),
  access: on(requestContent)('edit'),
  version: (row) => row.revision_id,
  queue: queueOfRequest,
  mayNeedPreparing: mayInsertFiles,
  prepare: async ({ ctx, target, body }) => {
    requirePending(target.request_status);
    return storeFilesOf(ctx, target, body);
  },
  handle: async ({ ctx, target, query, body, prepared }) => {
    const { change_request_id: id, space_id: spaceId } = target;
    const edited = await editRequest(ctx, target, body, prepared ?? []);
    const row = await getChangeRequest(ctx.db, ctx.caller.id, id);
    const changeRequest = presentChangeRequest(row, ctx.addresses);
    if (query.compat !== false) return changeRequest;
    const prefix = `/v1/spaces/${spaceId}/change-requests/${id}/content`;
    return { changeRequest, revision: edited.revisionId, ...presentOutcomes(ctx, target, prefix, edited) };
  },
});
