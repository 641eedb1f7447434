import Type from 'typebox';
import { conflict } from '../../platform/api/errors.ts';
import { on, operation } from '../../platform/api/operation.ts';
import { idOf } from '../../platform/api/resource.ts';
import { organizations } from '../organizations/index.ts';
import { newSiteSecret, sealSiteSecret, siteSpaces } from '../sites/index.ts';
import { siteUrl } from '../spaces/index.ts';
import { publishedSites } from './policy.ts';
import { readPreviewClaims } from './preview-claims.ts';
import { PREVIEW_PARAMETER, signPreview } from './preview-token.ts';
import * as schema from './schema.ts';
import * as store from './store.ts';
import { getVisitorAuth, type VisitorAuth } from './visitor-auth.ts';

const SitePath = Type.Object({
  organizationId: idOf(organizations, 'view'),
  siteId: idOf(publishedSites, 'view'),
});
const mayOnSite = on(publishedSites);

const presentAuth = ({ privateKey, backend, fallbackUrl }: VisitorAuth) => ({
  object: 'publishing-auth' as const,
  privateKey,
  backend,
  ...(fallbackUrl === undefined ? {} : { fallbackURL: fallbackUrl }),
});

export const getSitePublishingAuthById = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/sites/{siteId}/publishing/auth',
  summary: 'Get how visitors of a site are authenticated',
  description:
    'The private key signs the JWTs of visitors. Anyone who has it can read the site as any visitor.',
  scope: 'site:auth:read',
  params: SitePath,
  status: 200,
  response: schema.PublishingAuth,
  access: mayOnSite('admin'),
  version: (site) => site.auth_version,
  handle: async ({ ctx, target }) => presentAuth(await getVisitorAuth(ctx, target.site_id)),
});

export const updateSitePublishingAuthById = operation({
  method: 'PATCH',
  path: '/v1/orgs/{organizationId}/sites/{siteId}/publishing/auth',
  summary: 'Update how visitors of a site are authenticated',
  scope: 'site:auth:write',
  params: SitePath,
  body: schema.PublishingAuthPatch,
  status: 200,
  response: schema.PublishingAuth,
  access: mayOnSite('admin'),
  version: (site) => site.auth_version,
  handle: async ({ ctx, target, body: { backend, fallbackURL } }) => {
    if (backend === 'integration')
      throw conflict(
        'No integration on this site authenticates visitors. Use the backend "custom", and sign tokens with the private key.',
      );
    await getVisitorAuth(ctx, target.site_id);
    await store.updateAuth(ctx.db, target.site_id, { backend, fallbackUrl: fallbackURL });
    return presentAuth(await getVisitorAuth(ctx, target.site_id));
  },
});

export const regenerateSitePublishingAuthById = operation({
  method: 'POST',
  path: '/v1/orgs/{organizationId}/sites/{siteId}/publishing/auth/regenerate',
  summary: 'Create a new private key for a site',
  description: 'Tokens that were signed with the old key are refused from then on.',
  scope: 'site:auth:write',
  params: SitePath,
  status: 200,
  response: schema.PublishingAuth,
  access: mayOnSite('admin'),
  handle: async ({ ctx, target }) => {
    await getVisitorAuth(ctx, target.site_id);
    const sealed = sealSiteSecret(ctx.keys, 'publishing-auth', target.site_id, newSiteSecret());
    await store.updateAuth(ctx.db, target.site_id, { sealed });
    return presentAuth(await getVisitorAuth(ctx, target.site_id));
  },
});

export const getSitePublishingPreviewById = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/sites/{siteId}/publishing/preview',
  summary: 'Get the address of a preview of a site',
  description:
    'The address shows the site, published or not, as a visitor with these claims sees it, as far as you may view its spaces. It is valid for an hour, and no longer than your token. A scoped token needs `space:read`, too.',
  scope: 'site:read',
  params: SitePath,
  query: schema.PreviewQuery,
  status: 200,
  response: schema.Preview,
  access: mayOnSite('preview'),
  handle: async ({ ctx, target, query, refs }) => {
    const claims = query.claims === undefined ? {} : readPreviewClaims(query.claims);
    const { id: userId, tokenId } = ctx.caller;
    const token = signPreview(ctx.keys, { siteId: target.site_id, userId, tokenId, claims }, ctx.now());
    const segments =
      query.siteSpace === undefined
        ? []
        : await store.segmentsOf(ctx.db, refs.of(siteSpaces, query.siteSpace).site_space_id);
    return { url: `${siteUrl(ctx.addresses, target, segments)}?${PREVIEW_PARAMETER}=${token}` };
  },
});
