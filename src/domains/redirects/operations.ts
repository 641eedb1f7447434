import Type from 'typebox';
import { notFound } from '../../platform/api/errors.ts';
import { on, operation } from '../../platform/api/operation.ts';
import { presentList } from '../../platform/api/pagination.ts';
import { idOf } from '../../platform/api/resource.ts';
import { listOf } from '../../platform/api/schema.ts';
import { SitePath, sites } from '../sites/index.ts';
import { shareKeyOf, siteUrl } from '../spaces/index.ts';
import { checkRedirects } from './check-redirects.ts';
import { createLocator, locateDestination, requireDestination } from './locate-destination.ts';
import { siteRedirects } from './policy.ts';
import { presentRedirect, presentResult } from './present.ts';
import * as schema from './schema.ts';
import { requireSourceKey, sourceKey } from './source-key.ts';
import * as store from './store.ts';

const RedirectPath = Type.Object({ ...SitePath.properties, siteRedirectId: idOf(siteRedirects, 'view') });
const mayOnSite = on(sites);
const mayOnRedirect = on(siteRedirects);

export const listSiteRedirects = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/sites/{siteId}/redirects',
  summary: 'List the redirects of a site',
  description: 'Oldest first.',
  scope: 'site:read',
  params: SitePath,
  query: schema.RedirectQuery,
  status: 200,
  response: listOf(schema.SiteRedirect),
  access: mayOnSite('view'),
  handle: async ({ ctx, target, query, page }) =>
    presentList(
      await store.listRedirects(ctx.db, ctx.caller.id, target.site_id, query.search, page),
      presentRedirect,
    ),
});

export const createSiteRedirect = operation({
  method: 'POST',
  path: '/v1/orgs/{organizationId}/sites/{siteId}/redirects',
  summary: 'Create a redirect of a site',
  description: 'A page with the same path takes precedence over the redirect.',
  scope: 'site:write',
  params: SitePath,
  body: schema.NewRedirect,
  status: 201,
  response: schema.SiteRedirect,
  access: mayOnSite('admin'),
  location: ({ id }, { params }) =>
    `/v1/orgs/${params.organizationId}/sites/${params.siteId}/redirects/${id}`,
  handle: async ({ ctx, target, body }) => {
    const key = requireSourceKey(body.source, 'body.source');
    await requireDestination(createLocator(ctx), key, body.destination, 'body');
    const id = await store.insertRedirect(ctx.db, target.site_id, { ...body, sourceKey: key });
    return presentRedirect(await store.getRedirect(ctx.db, ctx.caller.id, id));
  },
});

export const bulkUpsertSiteRedirects = operation({
  method: 'PUT',
  path: '/v1/orgs/{organizationId}/sites/{siteId}/redirects',
  summary: 'Create or update several redirects of a site',
  description:
    'A redirect with the same source is updated; others stay. All of them are written, or none if one is refused.',
  scope: 'site:write',
  params: SitePath,
  body: schema.RedirectsChange,
  status: 200,
  response: schema.ChangedRedirects,
  access: mayOnSite('admin'),
  handle: async ({ ctx, target, body }) => {
    const redirects = await checkRedirects(ctx, target.site_id, body.redirects);
    const written = await store.putRedirects(ctx.db, target.site_id, redirects);
    return {
      items: written.map((row) => ({ ...presentRedirect(row), status: row.status })),
      results: written.map(presentResult),
    };
  },
});

export const getSiteRedirectBySource = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/sites/{siteId}/redirect',
  summary: 'Get the redirect of a path',
  description: 'Returns 404 if there is none, or if its destination has no address.',
  scope: 'site:read',
  params: SitePath,
  query: schema.SourceQuery,
  status: 200,
  response: schema.ResolvedRedirect,
  access: mayOnSite('view'),
  handle: async ({ ctx, target, query }) => {
    const key = sourceKey(query.source);
    const found =
      key === undefined
        ? undefined
        : await store.findVisibleRedirect(ctx.db, ctx.caller.id, target.site_id, key);
    const segments = found && (await locateDestination(ctx, found));
    if (!found || !segments) throw notFound(`Site redirect from "${query.source}"`);
    const shareKey = shareKeyOf(ctx.keys, query.shareKey);
    const isActive = shareKey && (await store.hasShareKey(ctx.db, target.site_id, shareKey.hash));
    const path = isActive ? [shareKey.key, ...segments] : segments;
    return { redirect: presentRedirect(found), target: siteUrl(ctx.addresses, target, path) };
  },
});

export const updateSiteRedirectById = operation({
  method: 'PATCH',
  path: '/v1/orgs/{organizationId}/sites/{siteId}/redirects/{siteRedirectId}',
  summary: 'Update a redirect of a site',
  scope: 'site:write',
  params: RedirectPath,
  body: schema.RedirectPatch,
  status: 200,
  response: schema.SiteRedirect,
  access: mayOnRedirect('admin'),
  version: (redirect) => redirect.version,
  handle: async ({ ctx, target, body: { source, destination } }) => {
    const key = requireSourceKey(source ?? target.source, 'body.source');
    await requireDestination(
      createLocator(ctx),
      key,
      destination ?? presentRedirect(target).destination,
      'body',
    );
    const change = {
      ...(source ? { source, sourceKey: key } : {}),
      ...(destination ? { destination } : {}),
    };
    await store.updateRedirect(ctx.db, target.site_redirect_id, change);
    return presentRedirect(await store.getRedirect(ctx.db, ctx.caller.id, target.site_redirect_id));
  },
});

export const deleteSiteRedirectById = operation({
  method: 'DELETE',
  path: '/v1/orgs/{organizationId}/sites/{siteId}/redirects/{siteRedirectId}',
  summary: 'Delete a redirect of a site',
  scope: 'site:write',
  params: RedirectPath,
  status: 205,
  access: mayOnRedirect('admin'),
  version: (redirect) => redirect.version,
  handle: async ({ ctx, target }) => {
    await store.deleteRedirect(ctx.db, target.site_redirect_id);
  },
});
