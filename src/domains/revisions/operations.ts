import Type from 'typebox';
import { on, operation } from '../../platform/api/operation.ts';
import { presentList } from '../../platform/api/pagination.ts';
import { idOf } from '../../platform/api/resource.ts';
import { ListQuery, listOf } from '../../platform/api/schema.ts';
import { queueOfSpace, spaces } from '../spaces/index.ts';
import { changesOfRevision } from './changes.ts';
import { revisions } from './policy.ts';
import { presentHistory } from './present.ts';
import { contentOperations } from './read/operations-under-prefix.ts';
import { restoreRevision } from './restore.ts';
import * as schema from './schema.ts';
import { listHistory } from './store.ts';

const RevisionPath = Type.Object({ spaceId: idOf(spaces, 'view'), revisionId: idOf(revisions, 'view') });

export const listRevisions = operation({
  method: 'GET',
  path: '/v1/spaces/{spaceId}/revisions',
  summary: 'List the revisions of a space',
  description: 'Newest first, without their content. Get a revision to read its content.',
  scope: 'space:read',
  params: Type.Object({ spaceId: idOf(spaces, 'view') }),
  query: ListQuery,
  status: 200,
  response: listOf(schema.RevisionSummary),
  access: on(spaces)('view'),
  handle: async ({ ctx, target, page }) =>
    presentList(await listHistory(ctx.db, target.space_id, page), (row) =>
      presentHistory(row, ctx.addresses),
    ),
});

const past = contentOperations({
  prefix: '/v1/spaces/{spaceId}/revisions/{revisionId}',
  params: RevisionPath,
  access: on(revisions)('view'),
  of: 'a revision',
});
export const getRevisionById = past.revision;
export const listPagesInRevisionById = past.pages;
export const listFilesInRevisionById = past.files;
export const getFileInRevisionById = past.file;
export const getPageInRevisionById = past.page;
export const getPageInRevisionByPath = past.pageByPath;
export const getPageDocumentInRevisionById = past.pageDocument;
export const listRevisionPageMetaLinks = past.metaLinks;
export const getReusableContentInRevisionById = past.reusableContent;
export const getReusableContentDocumentInRevisionById = past.reusableContentDocument;

export const getRevisionSemanticChanges = operation({
  method: 'GET',
  path: '/v1/spaces/{spaceId}/revisions/{revisionId}/changes',
  takesTurn: true,
  summary: 'List the changes of a revision',
  scope: 'space:read',
  params: RevisionPath,
  query: schema.ChangesQuery,
  status: 200,
  response: schema.Changes,
  access: on(revisions)('view'),
  handle: ({ ctx, target, query }) => changesOfRevision(ctx, target, query.limit),
});

export const restoreRevisionById = operation({
  method: 'POST',
  path: '/v1/spaces/{spaceId}/revisions/{revisionId}/restore',
  summary: 'Restore a revision',
  description:
    'Creates a new revision (`type: rollback`) with the content of the old one. To detect concurrent edits (412), send the id ' +
    'of the current revision as `If-Match`.',
  scope: 'space:write',
  params: RevisionPath,
  status: 200,
  response: schema.Restored,
  access: on(revisions)('edit'),
  version: (row) => row.primary_revision_id,
  queue: queueOfSpace,
  handle: async ({ ctx, target }) => ({ revision: await restoreRevision(ctx, target) }),
});
