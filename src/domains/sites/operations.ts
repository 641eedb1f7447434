import Type from 'typebox';
import type { Context } from '../../platform/api/context.ts';
import { on, operation } from '../../platform/api/operation.ts';
import { presentList } from '../../platform/api/pagination.ts';
import { idOf } from '../../platform/api/resource.ts';
import { listOf } from '../../platform/api/schema.ts';
import { organizations } from '../organizations/index.ts';
import { spaces } from '../spaces/index.ts';
import { createSiteIn } from './create.ts';
import { sites, type SiteRow } from './policy.ts';
import { presentSite } from './present.ts';
import * as schema from './schema.ts';
import { SitePath } from './schema.ts';
import * as store from './store.ts';
import { updateSite } from './update.ts';

const organizationId = idOf(organizations, 'view');
const path = '/v1/orgs/{organizationId}/sites';
const mayOnSite = on(sites);
const version = (site: { version: number }) => site.version;

export const listSites = operation({
  method: 'GET',
  path,
  summary: 'List the sites of an organization',
  description: 'Lists the sites that you may view, oldest first.',
  scope: 'site:read',
  params: Type.Object({ organizationId }),
  query: schema.SitesQuery,
  status: 200,
  response: listOf(schema.Site),
  access: on(organizations)('view'),
  handle: async ({ ctx, target, query, page }) => {
    const { space: spaceId, title, published, type } = query;
    const filter = { organizationId: target.organization_id, spaceId, title, published, type };
    return presentList(await store.listSites(ctx.db, ctx.caller.id, filter, page), (row) =>
      presentSite(row, ctx),
    );
  },
});

export const createSite = operation({
  method: 'POST',
  path,
  summary: 'Create a site',
  description:
    'It shows the given spaces, which requires admin on each. Its `basename` is made from the title. Readers can open it ' +
    'once it is published.',
  scope: 'site:write',
  params: Type.Object({ organizationId }),
  body: schema.NewSite,
  bodyOptional: true,
  status: 201,
  response: schema.Site,
  access: on(organizations)('admin'),
  handle: async ({ ctx, target, body, refs }) => {
    const shown = [...new Set(body.spaces ?? [])].map((id) => refs.of(spaces, id));
    const id = await createSiteIn(ctx, target.organization_id, body, shown);
    return presentSite(await store.getSite(ctx.db, ctx.caller.id, id), ctx);
  },
});

export const getSiteById = operation({
  method: 'GET',
  path: `${path}/{siteId}`,
  summary: 'Get a site',
  scope: 'site:read',
  params: SitePath,
  status: 200,
  response: schema.Site,
  access: mayOnSite('view'),
  version,
  isCacheableByTarget: true,
  handle: async ({ ctx, target }) => presentSite(target, ctx),
});

export const updateSiteById = operation({
  method: 'PATCH',
  path: `${path}/{siteId}`,
  summary: 'Update a site',
  description:
    '`defaultSiteSpace` is a site space of the default section, or of the root of a site without sections. A `basename` ' +
    'that is taken returns 409.',
  scope: 'site:write',
  params: SitePath,
  body: schema.SitePatch,
  status: 200,
  response: schema.Site,
  access: mayOnSite('admin'),
  version,
  queue: store.queueOfSite,
  handle: async ({ ctx, target, body }) => {
    await updateSite(ctx, target, body);
    return presentSite(await store.getSite(ctx.db, ctx.caller.id, target.site_id), ctx);
  },
});

export const deleteSiteById = operation({
  method: 'DELETE',
  path: `${path}/{siteId}`,
  summary: 'Delete a site',
  description: 'Its spaces remain. Its structure, settings and share links cannot be restored.',
  scope: 'site:write',
  params: SitePath,
  status: 205,
  access: mayOnSite('admin'),
  version,
  queue: store.queueOfSite,
  handle: async ({ ctx, target }) => {
    await store.deleteSite(ctx.db, target.site_id);
  },
});

/** Members that publishing and unpublishing share. */
const publication = {
  method: 'POST',
  scope: 'site:publish',
  params: SitePath,
  status: 200,
  response: schema.Site,
  access: mayOnSite('admin'),
  version,
  queue: store.queueOfSite,
} as const;

async function setPublished(ctx: Context, { site_id: id }: SiteRow, isPublished: boolean) {
  await store.setPublished(ctx.db, id, isPublished);
  return presentSite(await store.getSite(ctx.db, ctx.caller.id, id), ctx);
}

export const publishSite = operation({
  ...publication,
  path: `${path}/{siteId}/publish`,
  summary: 'Publish a site',
  description: 'Its `visibility` determines its readers.',
  handle: ({ ctx, target }) => setPublished(ctx, target, true),
});

export const unpublishSite = operation({
  ...publication,
  path: `${path}/{siteId}/unpublish`,
  summary: 'Unpublish a site',
  description: 'Readers can no longer open it. Its structure and settings remain.',
  handle: ({ ctx, target }) => setPublished(ctx, target, false),
});
