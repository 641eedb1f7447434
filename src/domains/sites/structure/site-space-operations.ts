import Type from 'typebox';
import { on, operation } from '../../../platform/api/operation.ts';
import { presentList } from '../../../platform/api/pagination.ts';
import { idOf } from '../../../platform/api/resource.ts';
import { listOf } from '../../../platform/api/schema.ts';
import { spaces } from '../../spaces/index.ts';
import { sites, siteSpaces } from '../policy.ts';
import { getSite, lockSite, queueOfSite } from '../store.ts';
import { addSiteSpaces } from './add.ts';
import { moveSiteSpace as move } from './move.ts';
import { presentSiteSpace } from './present.ts';
import { readSiteSpace, viewOf } from './read.ts';
import { SitePath } from '../schema.ts';
import * as schema from './schema.ts';
import { deleteSiteSpace } from './site-space-store.ts';
import * as store from './store.ts';
import { updateSiteSpace } from './update.ts';

const SiteSpacePath = Type.Object({ ...SitePath.properties, siteSpaceId: idOf(siteSpaces, 'view') });
const path = '/v1/orgs/{organizationId}/sites/{siteId}/site-spaces';
const version = (row: { version: number }) => row.version;

export const listSiteSpaces = operation({
  method: 'GET',
  path,
  summary: 'List the site spaces of a site',
  description: 'By section, in their order. Omits site spaces whose space you may not view.',
  scope: 'site:read',
  params: SitePath,
  query: schema.SiteSpacesQuery,
  status: 200,
  response: listOf(schema.SiteSpace),
  access: on(sites)('view'),
  handle: async ({ ctx, target, query, page }) => {
    const { db, caller } = ctx;
    const found = await store.pageOfSiteSpaces(db, caller.id, target.site_id, query.default, page);
    const view = await viewOf(ctx, target, { siteSpaces: found.rows }, query.shareKey);
    return presentList({ ...found, rows: [...view.siteSpaces] }, (row) => presentSiteSpace(view, row));
  },
});

export const addSpaceToSite = operation({
  method: 'POST',
  path,
  summary: 'Add a space to a site',
  description:
    'Appends it to the section, to the default section, or to the root of a site without sections. Requires admin on the ' +
    'space.',
  scope: 'site:write',
  params: SitePath,
  body: schema.NewSiteSpace,
  status: 201,
  response: schema.SiteSpace,
  access: on(sites)('admin'),
  location: ({ id }, { params }) =>
    `/v1/orgs/${params.organizationId}/sites/${params.siteId}/site-spaces/${id}`,
  queue: queueOfSite,
  handle: async ({ ctx, target, body, refs }) => {
    const space = refs.of(spaces, body.spaceId);
    const [id = ''] = await addSiteSpaces(ctx, target, [space], body.sectionId);
    return readSiteSpace(ctx, target, id);
  },
});

export const getSiteSpaceById = operation({
  method: 'GET',
  path: `${path}/{siteSpaceId}`,
  summary: 'Get a site space',
  scope: 'site:read',
  params: SiteSpacePath,
  query: schema.ShareKeyQuery,
  status: 200,
  response: schema.SiteSpace,
  access: on(siteSpaces)('view'),
  version,
  handle: async ({ ctx, target, query }) =>
    readSiteSpace(
      ctx,
      await getSite(ctx.db, ctx.caller.id, target.site_id),
      target.site_space_id,
      query.shareKey,
    ),
});

export const updateSiteSpaceById = operation({
  method: 'PATCH',
  path: `${path}/{siteSpaceId}`,
  summary: 'Update a site space',
  description:
    '`condition`: omitted leaves it unchanged, `null` removes it. `spaceId` makes it show another space, which requires ' +
    'admin on that space. A path that is taken returns 409.',
  scope: 'site:write',
  params: SiteSpacePath,
  body: schema.SiteSpacePatch,
  status: 200,
  response: schema.SiteSpace,
  access: on(siteSpaces)('admin'),
  version,
  queue: queueOfSite,
  handle: async ({ ctx, target, body }) => {
    const site = await getSite(ctx.db, ctx.caller.id, target.site_id);
    await updateSiteSpace(ctx, site, target.site_space_id, body);
    return readSiteSpace(ctx, site, target.site_space_id);
  },
});

export const deleteSiteSpaceById = operation({
  method: 'DELETE',
  path: `${path}/{siteSpaceId}`,
  summary: 'Remove a space from a site',
  description: 'The space remains. If it was the default, the next site space of its section becomes it.',
  scope: 'site:write',
  params: SiteSpacePath,
  status: 205,
  access: on(siteSpaces)('admin'),
  version,
  queue: queueOfSite,
  handle: async ({ ctx, target }) => {
    await lockSite(ctx.db, target.site_id);
    await deleteSiteSpace(ctx.db, target.site_space_id);
  },
});

export const moveSiteSpace = operation({
  method: 'POST',
  path: `${path}/{siteSpaceId}/move`,
  summary: 'Move a site space',
  description:
    'Deprecated: use `PATCH …/structure/sort`. Moves it into the section of the other site space. Without a position, it ' +
    'becomes the last one of its section.',
  scope: 'site:write',
  params: SiteSpacePath,
  body: schema.SiteSpaceMove,
  bodyOptional: true,
  status: 200,
  response: schema.SiteSpace,
  access: on(siteSpaces)('admin'),
  version,
  queue: queueOfSite,
  handle: async ({ ctx, target, body }) => {
    const site = await getSite(ctx.db, ctx.caller.id, target.site_id);
    const { before, after } = body.position ?? {};
    await move(ctx, site, target.site_space_id, { before: before?.siteSpace, after: after?.siteSpace });
    return readSiteSpace(ctx, site, target.site_space_id);
  },
});
