import Type from 'typebox';
import { on, operation } from '../../platform/api/operation.ts';
import { idOf } from '../../platform/api/resource.ts';
import { parseWebUrl } from '../../platform/api/value-checks.ts';
import { organizations } from '../organizations/index.ts';
import { announceTags } from './jobs.ts';
import { revalidatedSites, type RevalidatedSiteRow } from './policy.ts';
import { presentRevalidation } from './present.ts';
import * as schema from './schema.ts';
import * as store from './store.ts';
import { tagsOf } from './tags.ts';
import { newSiteSecret, openSiteSecret, sealSiteSecret } from '../sites/index.ts';

const common = {
  path: '/v1/orgs/{organizationId}/sites/{siteId}/revalidation',
  params: Type.Object({
    organizationId: idOf(organizations, 'view'),
    siteId: idOf(revalidatedSites, 'view'),
  }),
  access: on(revalidatedSites)('admin'),
  version: (site: RevalidatedSiteRow) => site.hook_version,
} as const;

export const getSiteRevalidation = operation({
  ...common,
  method: 'GET',
  summary: 'Get the revalidation hook of a site',
  description: 'Where changes of the site are sent, and the last attempt to send them.',
  scope: 'site:read',
  status: 200,
  response: schema.Revalidation,
  handle: async ({ ctx, target }) =>
    presentRevalidation(await store.findRevalidation(ctx.db, target.site_id), undefined),
});

export const putSiteRevalidation = operation({
  ...common,
  method: 'PUT',
  summary: 'Update the revalidation hook of a site',
  description:
    'After each change of what the published site shows, `{"tags": […]}` is sent to the URL: the `X-GitBook-Cache-Tag` of the ' +
    'answers that are outdated. The tag of the site is sent at once.',
  scope: 'site:write',
  body: schema.NewRevalidation,
  status: 200,
  response: schema.Revalidation,
  handle: async ({ ctx, target, body }) => {
    const { href } = parseWebUrl(body.url, 'body.url');
    const siteId = target.site_id;
    const before = await store.findRevalidation(ctx.db, siteId);
    const created = before || body.secret !== undefined ? undefined : newSiteSecret();
    const secret =
      body.secret ??
      created ??
      (before && openSiteSecret(ctx.keys, 'site-revalidation', siteId, before.secret_sealed)) ??
      '';
    await store.putRevalidation(
      ctx.db,
      siteId,
      href,
      sealSiteSecret(ctx.keys, 'site-revalidation', siteId, secret),
    );
    await announceTags(ctx.db, siteId, tagsOf(siteId, undefined), ctx.now());
    return presentRevalidation(await store.findRevalidation(ctx.db, siteId), created);
  },
});

export const deleteSiteRevalidation = operation({
  ...common,
  method: 'DELETE',
  summary: 'Delete the revalidation hook of a site',
  scope: 'site:write',
  status: 205,
  handle: async ({ ctx, target }) => {
    await store.deleteRevalidation(ctx.db, target.site_id);
  },
});
