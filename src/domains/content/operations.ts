import Type from 'typebox';
import { on, operation } from '../../platform/api/operation.ts';
import { idOf } from '../../platform/api/resource.ts';
import { captureRefusals } from '../../platform/api/refusals.ts';
import { copyLinks } from '../link-index/index.ts';
import { copySearchIndex } from '../search-index/index.ts';
import { copyWithGrants, getSpace, presentSpace, queueOfSpace, Space, spaces } from '../spaces/index.ts';
import {
  contentOperations,
  documentId,
  DocumentQuery,
  JsonDocument,
  lockLive,
  readDocumentById,
  requireLive,
} from '../revisions/index.ts';
import { Batch, BATCH_JSON_LIMITS, MAX_BATCH } from './edit/batch.ts';
import { editPrimary } from './edit/apply-batch.ts';
import { mayInsertFiles, storeFilesOf } from './files/batch-files.ts';
import { primaryContent, uploadTargets } from './policy.ts';
import { presentEdited } from './edit/present-outcomes.ts';
import * as schema from './schema.ts';
import { openUpload, uploadPath } from './files/upload.ts';

const ContentPath = Type.Object({ spaceId: idOf(primaryContent, 'view') });

const primary = contentOperations({
  prefix: '/v1/spaces/{spaceId}/content',
  params: ContentPath,
  access: on(primaryContent)('view'),
  of: 'a space',
});
export const getCurrentRevision = primary.revision;
export const listPages = primary.pages;
export const listFiles = primary.files;
export const getFileById = primary.file;
export const getPageById = primary.page;
export const getPageByPath = primary.pageByPath;
export const getPageDocumentById = primary.pageDocument;
export const listSpacePageMetaLinks = primary.metaLinks;
export const getReusableContentById = primary.reusableContent;
export const getReusableContentDocumentById = primary.reusableContentDocument;

export const getDocumentById = operation({
  method: 'GET',
  path: '/v1/spaces/{spaceId}/documents/{documentId}',
  summary: 'Get a document by its id',
  description: 'The id is the `documentId` of a page or the `document` of a reusable content of this space.',
  scope: 'space:read',
  params: Type.Object({ spaceId: idOf(primaryContent, 'view'), documentId }),
  query: DocumentQuery,
  status: 200,
  response: JsonDocument,
  access: on(primaryContent)('view'),
  handle: ({ ctx, target, params, query }) => readDocumentById(ctx, target, params.documentId, query),
});

export const updateContent = operation({
  method: 'POST',
  path: '/v1/spaces/{spaceId}/content',
  summary: 'Edit the content of a space',
  description:
    'Applies a batch of changes in order and atomically, as one revision. Requires `editMode: live`. To detect concurrent ' +
    'edits (412), send the id or ETag of the revision as `If-Match`, or the ETag of a page as `ifMatch` of a change. ' +
    '`warnings` lists syntax that was stored unchanged because it is not understood.',
  scope: 'space:write',
  params: ContentPath,
  body: Batch,
  bodyLimit: MAX_BATCH,
  jsonLimits: BATCH_JSON_LIMITS,
  status: 200,
  response: schema.Edited,
  access: on(primaryContent)('edit'),
  version: (row) => row.revision_id,
  queue: queueOfSpace,
  mayNeedPreparing: mayInsertFiles,
  prepare: async ({ ctx, target, body }) => {
    requireLive(target);
    return storeFilesOf(ctx, target, body);
  },
  handleAll: async (requests) => {
    const [{ ctx, target }] = requests;
    const publishing = await lockLive(ctx, target.space_id);
    const edited = await captureRefusals(requests, async ({ ctx, target, body, prepared }) => {
      const edit = await editPrimary(ctx, publishing, body, prepared ?? []);
      return presentEdited(ctx, target, edit);
    });
    await publishing.write();
    return edited;
  },
});

export const duplicateSpace = operation({
  method: 'POST',
  path: '/v1/spaces/{spaceId}/duplicate',
  summary: 'Duplicate a space',
  description: 'Copies content, settings and permissions, but not comments, change requests or sites.',
  scope: 'space:write',
  params: Type.Object({ spaceId: idOf(spaces, 'view') }),
  status: 201,
  response: Space,
  access: on(spaces)('create'),
  handle: async ({ ctx, target }) => {
    const id = await copyWithGrants(ctx, target);
    await copySearchIndex(ctx.db, target.space_id, id);
    await copyLinks(ctx.db, target.space_id, id);
    return presentSpace(await getSpace(ctx.db, ctx.caller.id, id), ctx.caller.id, ctx.addresses);
  },
});

export const generateStorageUploadUrl = operation({
  method: 'POST',
  path: '/v1/orgs/{organizationId}/storage/upload',
  summary: 'Create an upload URL for a file',
  description:
    'Send the bytes to `url` with one PUT within an hour. Then pass `key` where a file is expected, such as `upload` of ' +
    '`insert_files`. Requires the role edit in the organization or on one of its spaces. The bytes count towards the storage ' +
    'quota of the organization. An unused upload is deleted after a day.',
  scope: 'space:write',
  params: Type.Object({ organizationId: idOf(uploadTargets, 'view') }),
  body: schema.NewUpload,
  status: 201,
  response: schema.Upload,
  access: on(uploadTargets)('upload'),
  location: ({ key }) => uploadPath(key),
  handle: ({ ctx, target, body }) => openUpload(ctx, target.organization_id, body.file),
});
