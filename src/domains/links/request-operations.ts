import Type from 'typebox';
import { on, operation } from '../../platform/api/operation.ts';
import { ListQuery } from '../../platform/api/schema.ts';
import { ContentPath, requestContent } from '../change-requests/index.ts';
import { fileId, pageId } from '../revisions/index.ts';
import { listRequestBacklinks } from './list/list-backlinks.ts';
import { listRequestLinks } from './list/list-links.ts';
import * as schema from './schema.ts';

const REQUEST = '/v1/spaces/{spaceId}/change-requests/{changeRequestId}';
const common = {
  method: 'GET',
  takesTurn: true,
  scope: 'space:read',
  status: 200,
  access: on(requestContent)('view'),
} as const;

export const listChangeRequestLinks = operation({
  ...common,
  path: `${REQUEST}/links`,
  summary: 'List the links of a change request',
  description:
    'The links of the space as they would be after a merge now, one item per target. `brokenContext=change-request` lists the ' +
    'broken links that the change request adds or breaks; `stats.broken.changeRequest` is their number.',
  params: ContentPath,
  query: schema.RequestLinksQuery,
  response: schema.Links,
  handle: ({ ctx, target, query, page }) => listRequestLinks(ctx, target, query, page),
});

export const listPageLinksInChangeRequest = operation({
  ...common,
  path: `${REQUEST}/content/page/{pageId}/links`,
  summary: 'List the links of a page of a change request',
  description: 'One item per target, with its status in the content of the change request.',
  params: Type.Object({ ...ContentPath.properties, pageId }),
  query: schema.LinksQuery,
  response: schema.Links,
  handle: ({ ctx, target, params, query, page }) => listRequestLinks(ctx, target, query, page, params.pageId),
});

export const listChangeRequestPageBacklinks = operation({
  ...common,
  path: `${REQUEST}/content/page/{pageId}/backlinks`,
  summary: 'List the backlinks of a page of a change request',
  description:
    'The pages and reusable contents of the change request with links to the page or one of its headings, then those of ' +
    'other spaces of the organization that you may view.',
  params: Type.Object({ ...ContentPath.properties, pageId }),
  query: ListQuery,
  response: schema.Backlinks,
  handle: ({ ctx, target, params, page }) =>
    listRequestBacklinks(ctx, target, { kind: 'page', id: params.pageId }, page),
});

export const listChangeRequestFileBacklinks = operation({
  ...common,
  path: `${REQUEST}/content/files/{fileId}/backlinks`,
  summary: 'List the backlinks of a file of a change request',
  description: 'The pages and reusable contents that show the file or link to it.',
  params: Type.Object({ ...ContentPath.properties, fileId }),
  query: ListQuery,
  response: schema.Backlinks,
  handle: ({ ctx, target, params, page }) =>
    listRequestBacklinks(ctx, target, { kind: 'file', id: params.fileId }, page),
});
