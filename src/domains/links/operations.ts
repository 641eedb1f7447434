import Type from 'typebox';
import { on, operation } from '../../platform/api/operation.ts';
import { idOf } from '../../platform/api/resource.ts';
import { ListQuery } from '../../platform/api/schema.ts';
import { primaryContent } from '../content/index.ts';
import { fileId, pageId } from '../revisions/index.ts';
import { listBacklinks } from './list/list-backlinks.ts';
import { listLinks } from './list/list-links.ts';
import { requestLinkCheck } from './check/request-check.ts';
import * as schema from './schema.ts';

const spaceId = idOf(primaryContent, 'view');
const common = {
  method: 'GET',
  takesTurn: true,
  scope: 'space:read',
  status: 200,
  access: on(primaryContent)('view'),
} as const;

export const listSpaceLinks = operation({
  ...common,
  path: '/v1/spaces/{spaceId}/links',
  summary: 'List the links of a space',
  description:
    'One item per target, with the pages and reusable contents that link to it, in a stable order without meaning. A link ' +
    'to a heading that does not exist is broken, and so is a link to what you may not view.',
  params: Type.Object({ spaceId }),
  query: schema.LinksQuery,
  response: schema.Links,
  handle: ({ ctx, target, query, page }) => listLinks(ctx, target, query, page),
});

export const checkSpaceLinks = operation({
  method: 'POST',
  path: '/v1/spaces/{spaceId}/links/check',
  summary: 'Request a check of the external links of a space',
  description:
    'Requests every external URL of the space in the background. The results are in the lists of links: URLs that do not ' +
    'exist are `broken`, and `check` has the time and the problem. URLs that were found within the last hour are not ' +
    'requested again. While a check is pending or in progress, this reports its progress.',
  scope: 'space:write',
  params: Type.Object({ spaceId }),
  status: 202,
  response: schema.LinkCheck,
  access: on(primaryContent)('edit'),
  handle: ({ ctx, target }) => requestLinkCheck(ctx, target.space_id),
});

export const listPageLinksInSpace = operation({
  ...common,
  path: '/v1/spaces/{spaceId}/content/page/{pageId}/links',
  summary: 'List the links of a page of a space',
  description: 'One item per target, as in the list of the links of the space.',
  params: Type.Object({ spaceId, pageId }),
  query: schema.LinksQuery,
  response: schema.Links,
  handle: ({ ctx, target, params, query, page }) => listLinks(ctx, target, query, page, params.pageId),
});

export const listSpacePageBacklinks = operation({
  ...common,
  path: '/v1/spaces/{spaceId}/content/page/{pageId}/backlinks',
  summary: 'List the backlinks of a page of a space',
  description:
    'The pages and reusable contents with links to the page or one of its headings: those of its space first, then those ' +
    'of other spaces of the organization that you may view.',
  params: Type.Object({ spaceId, pageId }),
  query: ListQuery,
  response: schema.Backlinks,
  handle: ({ ctx, target, params, page }) =>
    listBacklinks(ctx, target, { kind: 'page', id: params.pageId }, page),
});

export const listSpaceFileBacklinks = operation({
  ...common,
  path: '/v1/spaces/{spaceId}/content/files/{fileId}/backlinks',
  summary: 'List the backlinks of a file of a space',
  description: 'The pages and reusable contents that show the file or link to it.',
  params: Type.Object({ spaceId, fileId }),
  query: ListQuery,
  response: schema.Backlinks,
  handle: ({ ctx, target, params, page }) =>
    listBacklinks(ctx, target, { kind: 'file', id: params.fileId }, page),
});
