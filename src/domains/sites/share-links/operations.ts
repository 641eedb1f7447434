import Type from 'typebox';
import { on, operation } from '../../../platform/api/operation.ts';
import { presentList } from '../../../platform/api/pagination.ts';
import { idOf } from '../../../platform/api/resource.ts';
import { listOf, ListQuery } from '../../../platform/api/schema.ts';
import { shareLinks, sites } from '../policy.ts';
import { getSite } from '../store.ts';
import { createShareLink } from './create.ts';
import { presentShareLink } from './present.ts';
import { SitePath } from '../schema.ts';
import * as schema from './schema.ts';
import * as store from './store.ts';

const LinkPath = Type.Object({ ...SitePath.properties, shareLinkId: idOf(shareLinks, 'view') });
const path = '/v1/orgs/{organizationId}/sites/{siteId}/share-links';
const version = (row: { version: number }) => row.version;

export const listSiteShareLinks = operation({
  method: 'GET',
  path,
  summary: 'List the share links of a site',
  description: 'Oldest first. `urls.published` contains the key; everyone who knows it can read the site.',
  scope: 'site:auth:read',
  params: SitePath,
  query: ListQuery,
  status: 200,
  response: listOf(schema.ShareLink),
  access: on(sites)('admin'),
  handle: async ({ ctx, target, page }) =>
    presentList(await store.listShareLinks(ctx.db, ctx.caller.id, target.site_id, page), (row) =>
      presentShareLink(row, target, ctx),
    ),
});

export const createSiteShareLink = operation({
  method: 'POST',
  path,
  summary: 'Create a share link',
  description: 'It opens the site while its visibility is `share-link`.',
  scope: 'site:auth:write',
  params: SitePath,
  body: schema.NewShareLink,
  status: 201,
  response: schema.ShareLink,
  access: on(sites)('admin'),
  location: ({ id }, { params }) =>
    `/v1/orgs/${params.organizationId}/sites/${params.siteId}/share-links/${id}`,
  handle: async ({ ctx, target, body }) => {
    const id = await createShareLink(ctx, target, body.name);
    return presentShareLink(await store.getShareLink(ctx.db, ctx.caller.id, id), target, ctx);
  },
});

export const getSiteShareLinkById = operation({
  method: 'GET',
  path: `${path}/{shareLinkId}`,
  summary: 'Get a share link',
  scope: 'site:auth:read',
  params: LinkPath,
  status: 200,
  response: schema.ShareLink,
  access: on(shareLinks)('view'),
  version,
  handle: async ({ ctx, target }) =>
    presentShareLink(target, await getSite(ctx.db, ctx.caller.id, target.site_id), ctx),
});

export const updateSiteShareLinkById = operation({
  method: 'PATCH',
  path: `${path}/{shareLinkId}`,
  summary: 'Update a share link',
  description: 'Renames, closes or reopens it.',
  scope: 'site:auth:write',
  params: LinkPath,
  body: schema.ShareLinkPatch,
  status: 200,
  response: schema.ShareLink,
  access: on(shareLinks)('admin'),
  version,
  handle: async ({ ctx, target, body }) => {
    await store.updateShareLink(ctx.db, target.share_link_id, body);
    const updated = await store.getShareLink(ctx.db, ctx.caller.id, target.share_link_id);
    return presentShareLink(updated, await getSite(ctx.db, ctx.caller.id, target.site_id), ctx);
  },
});

export const deleteSiteShareLinkById = operation({
  method: 'DELETE',
  path: `${path}/{shareLinkId}`,
  summary: 'Delete a share link',
  scope: 'site:auth:write',
  params: LinkPath,
  status: 205,
  access: on(shareLinks)('admin'),
  version,
  handle: async ({ ctx, target }) => {
    await store.deleteShareLink(ctx.db, target.share_link_id);
  },
});
